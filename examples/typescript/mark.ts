// Marks runs from inside the program that runs agents: the twin of collector/mark.py. Needs @opentelemetry/api alone; copy it.
//
//   new NodeTracerProvider({ spanProcessors: [new MarkSpans(), new BatchSpanProcessor(exporter)] }).register();
//   await withCase("looks up before refunding", () => agent.run(...), { suite: "refunds" });
import { context, propagation, trace, type Context, type Span } from "@opentelemetry/api";

const CARRIED = ["test.case.name", "test.suite.name", "tracegrade.batch"];

/** A span processor that copies the marks from baggage onto each span that starts. */
export class MarkSpans {
  onStart(span: Span, parent: Context): void {
    for (const key of CARRIED) {
      const entry = propagation.getBaggage(parent)?.getEntry(key);
      if (entry) span.setAttribute(key, entry.value);
    }
  }
  onEnd(): void {}
  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

/** Every span that starts inside `run` carries the case's name, and the suite's and the batch's where given. */
export function withCase<T>(name: string, run: () => T, also: { suite?: string; batch?: string } = {}): T {
  let baggage = propagation.getActiveBaggage() ?? propagation.createBaggage();
  for (const [i, value] of [name, also.suite, also.batch].entries()) {
    if (value !== undefined) baggage = baggage.setEntry(CARRIED[i]!, { value });
  }
  return context.with(propagation.setBaggage(context.active(), baggage), run);
}

const set = (key: string, value: string) => void trace.getActiveSpan()?.setAttribute(key, value);

/** The current span, and so its run, belongs to this batch (a release candidate, a nightly run). */
export const setBatch = (name: string) => set("tracegrade.batch", name);

/** The constraints that the current span's job was given; an empty list says that there are none. */
export const setConstraints = (texts: string[]) => set("tracegrade.job.constraints", JSON.stringify(texts));

/** What the current span's job was told besides its input; anything that JSON holds. */
export const setContext = (value: unknown) => set("tracegrade.context", JSON.stringify(value));

/** A decision about a tool call. Record "pending" when the question is put, and again when it is decided. */
export function recordApproval(said: {
  tool: string;
  decision: "approve" | "reject" | "edit" | "timeout" | "pending";
  callId?: string;
  source?: "human" | "policy" | "auto";
  arguments?: unknown;
  reason?: string;
}): void {
  trace.getActiveSpan()?.addEvent("tracegrade.approval", {
    "gen_ai.tool.name": said.tool,
    "gen_ai.tool.call.id": said.callId,
    "tracegrade.approval.decision": said.decision,
    "tracegrade.approval.source": said.source ?? "human",
    "tracegrade.approval.arguments": said.arguments === undefined ? undefined : JSON.stringify(said.arguments),
    "tracegrade.approval.reason": said.reason,
  });
}
