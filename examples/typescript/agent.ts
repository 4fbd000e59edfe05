// A tiny agent in TypeScript whose spans tracegrade reads: `npm install && npm run build && node build/agent.js`.
// The exporter reads OTEL_EXPORTER_OTLP_ENDPOINT (default http://localhost:4318).
import { SpanKind, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { MarkSpans, recordApproval, setBatch, setConstraints, setContext, withCase } from "./mark.js";

const provider = new NodeTracerProvider({
  spanProcessors: [new MarkSpans(), new SimpleSpanProcessor(new OTLPTraceExporter())],
});
provider.register();
const tracer = trace.getTracer("support-agent");
const text = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

withCase("looks an order up", () =>
  tracer.startActiveSpan("invoke_agent support_agent", (agent) => {
    agent.setAttributes({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "support_agent",
      "gen_ai.input.messages": text("user", "Where is order B-2002?"),
      "gen_ai.output.messages": text("assistant", "It arrives on Friday."),
    });
    setConstraints(["no personal data leaves the EU"]);
    setContext({ tier: "gold" });
    setBatch("example");
    recordApproval({ tool: "orders.lookup", callId: "call_1", decision: "approve", source: "policy" });
    tracer.startActiveSpan("execute_tool orders.lookup", { kind: SpanKind.INTERNAL }, (tool) => {
      tool.setAttributes({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "orders.lookup",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.call.arguments": JSON.stringify({ order_id: "B-2002" }),
        "gen_ai.tool.call.result": JSON.stringify({ status: "shipped" }),
      });
      tool.end();
    });
    agent.end();
  }),
  { suite: "refunds" },
);
await provider.shutdown();
