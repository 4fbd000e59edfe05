"""The one place that asks anybody anything: models through the `anthropic` SDK, people's labels, replies of other runs.

`asking.py` has what is asked, as data. Here `prompting` makes questions of prompt files, `client` calls the model, `panel`
fulfils many questions at once (cache, caps, concurrency), `batches` does so over the Message Batches API, `second_look`
judges again what waited for an answer.
"""
