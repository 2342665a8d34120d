// Every member of a View, used as its types allow. Compiled, never run.
import { connect, BridgeError, CapabilityError, FileError, HostError, selectFile, selectFiles, TimeoutError, ToolCancelled, ToolError } from "mcpapps:bridge";
import type { CallToolResult, HostContext, StandardSchema, View } from "mcpapps:bridge";

const view: View = connect({
  name: "chart",
  version: "1.0.0",
  displayModes: ["inline", "fullscreen"],
  tools: true,
  capabilities: { experimental: {} },
  autoResize: true,
  handshakeTimeout: 5000,
});
const same: typeof view = mcpapps.connect({ name: "chart", version: "1.0.0" });

async function main(): Promise<void> {
  await view.ready;
  const connected: boolean = view.connected;
  const host: string | undefined = view.hostInfo?.name;
  const links: object | undefined = view.hostCapabilities?.openLinks;
  const theme: "light" | "dark" | undefined = view.hostContext.theme;
  for await (const context of view.hostContext) {
    const { locale }: HostContext = context;
    console.log(locale);
  }
  const id: string | number | undefined = view.toolInfo?.id;
  for await (const args of view.toolInputPartial) console.log(args.city);
  const { city } = await view.toolInput;

  try {
    const result: CallToolResult = await view.toolResult;
    console.log(result.content[0]?.type);
  } catch (error) {
    if (error instanceof ToolCancelled) console.log(error.reason?.length, error.message);
  }

  const off: () => void = view.on("toolresult", ({ content }) => console.log(content.length));
  view.on("hostcontextchanged", ({ theme }) => console.log(theme), { once: true });
  view.on("notifications/tools/list_changed", () => {});
  // @ts-expect-error: there is no such event.
  view.on("toolresults", () => {});
  off();

  const stop = new AbortController();
  const forecast = await view.callTool<{ degrees: number }>(
    "forecast",
    { city },
    { signal: stop.signal, timeout: 1000, onProgress: ({ progress, total }) => console.log(progress, total) },
  );
  const degrees: number | undefined = forecast.structuredContent?.degrees;
  // @ts-expect-error: a tool has a name.
  await view.callTool({ city });
  const { tools, nextCursor } = await view.listTools();
  await view.listTools({ cursor: nextCursor });
  const { contents } = await view.readResource("data://a");
  const { resources } = await view.listResources();
  await view.openLink("https://example.com/", { timeout: Infinity });
  await view.sendMessage("hello");
  await view.sendMessage([{ type: "text", text: "hello" }]);
  await view.updateModelContext({ content: "3 chosen", structuredContent: { chosen: 3 } });
  const mode: "inline" | "fullscreen" | "pip" = await view.requestDisplayMode("fullscreen");
  await view.downloadFile({ type: "resource", resource: { uri: "file:///a.csv", text: "a,b" } });
  const { model } = await view.createMessage({ messages: [], maxTokens: 100 });
  await view.ping();
  await view.log("info", { loaded: true }, "chart");
  await view.sendSizeChanged({ height: 300 });
  await view.sendToolListChanged();
  await view.requestTeardown();

  const schema = {} as StandardSchema<{ to: string }>;
  const move = view.registerTool("move", { description: "Move", inputSchema: schema }, async ({ to }, { signal, id }) => ({
    content: [{ type: "text", text: `${to.toUpperCase()} ${signal.aborted} ${id}` }],
  }));
  move.update({ description: "Move a piece", handler: () => ({}) });
  move.disable();
  move.enable();
  move.remove();

  const seven: number = await view.run(({ signal, defer }) => {
    defer(async () => console.log(signal.aborted));
    return 7;
  });
  view.setTraceContextProvider(() => ({ traceparent: "00-0-0-01" }));
  view.setTraceContextProvider(null);
  const end: () => void = view.applyHostStyles();
  const one: string = await selectFile({ accept: [".csv", "image/*"], maxSize: 1e6 });
  const many: string[] = await selectFiles();
  view.close();
  console.log(connected, host, links, theme, id, degrees, tools, contents, resources, mode, model, seven, end, one, many, same);
}

main().catch((error: unknown) => {
  if (error instanceof HostError) console.log(error.code, error.data);
  else if (error instanceof ToolError) console.log(error.result.content);
  else if (error instanceof CapabilityError) console.log(error.capability);
  else if (error instanceof TimeoutError) console.log(error.timeout);
  else if (error instanceof FileError) console.log(error.reason, error.size, error.accept?.join());
  else if (error instanceof BridgeError) console.log(error.message);
});
const kept: HostError | ToolError | undefined = undefined;
console.log(kept);
