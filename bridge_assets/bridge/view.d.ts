/** The public face of the bridge. */

import type {
  CallToolResult,
  Content,
  CreateMessageParams,
  CreateMessageResult,
  DisplayMode,
  EmbeddedResource,
  HostCapabilities,
  HostContext,
  Implementation,
  JsonObject,
  LogLevel,
  Page,
  Progress,
  RequestId,
  Resource,
  ResourceContents,
  ResourceLink,
  StandardSchema,
  Tool,
} from "./protocol.js";

/** Anything that takes posted messages: a window or a port. */
export interface MessageTarget {
  postMessage(message: unknown, options: { targetOrigin: string }): void;
}
/** Anything on which `message` events appear: a window or a port. */
export interface MessageSource {
  addEventListener(type: "message", listener: (event: any) => void): void;
  removeEventListener(type: "message", listener: (event: any) => void): void;
  start?(): void;
}
export interface TraceContext {
  traceparent?: string;
  tracestate?: string;
}
export type TraceContextProvider = () => TraceContext | null | undefined;

export interface ConnectOptions {
  /** The View's name, as the host may show it. */
  name: string;
  version: string;
  /** Every mode that the View can be shown in. Not given: any mode. */
  displayModes?: DisplayMode[];
  /** Declare app-provided tools (draft) although the first is registered later. */
  tools?: boolean;
  /** Further `appCapabilities`, such as `experimental`. */
  capabilities?: JsonObject;
  /** Report the content's size to the host. Default true. */
  autoResize?: boolean;
  /** How long the host may take to answer the handshake, in ms. Default 30000. */
  handshakeTimeout?: number;
  /** Where the host is. Default `window.parent`. */
  target?: MessageTarget;
  /** Where its messages arrive. Default `window`. */
  source?: MessageSource;
}

export interface RequestOptions {
  /** Cancels the request, here and on the wire. */
  signal?: AbortSignal;
  /** Milliseconds without an answer or progress until `TimeoutError`. Default 60000; `Infinity` waits. */
  timeout?: number;
  onProgress?: (progress: Progress) => void;
}

export interface ViewEvents {
  connected: {
    protocolVersion?: string;
    hostInfo?: Implementation;
    hostCapabilities?: HostCapabilities;
    hostContext?: HostContext;
  };
  toolinput: JsonObject;
  toolinputpartial: JsonObject;
  toolresult: CallToolResult;
  toolcancelled: { reason?: string };
  hostcontextchanged: HostContext;
  teardown: { reason?: string };
  "notifications/tools/list_changed": JsonObject;
  "notifications/resources/list_changed": JsonObject;
  "notifications/prompts/list_changed": JsonObject;
}

/** What `run` gives to a program. */
export interface Scope {
  /** Aborts when the host removes the View. */
  signal: AbortSignal;
  /** Run `finalize` before the View goes: last in, first out, each awaited. */
  defer(finalize: () => unknown): void;
}

/** An app-provided tool (draft). */
export interface AppTool<Input = any> {
  title?: string;
  description?: string;
  inputSchema?: StandardSchema<Input> | JsonObject;
  outputSchema?: StandardSchema | JsonObject;
  annotations?: JsonObject;
  _meta?: JsonObject;
}
export type AppToolHandler<Input> = (
  args: Input,
  call: { signal: AbortSignal; id: RequestId },
) => Partial<CallToolResult> | Promise<Partial<CallToolResult>>;
export interface AppToolHandle {
  update(patch: AppTool & { handler?: AppToolHandler<any> }): void;
  enable(): void;
  disable(): void;
  remove(): void;
}

export interface FileChoice {
  /** MIME types, `image/*` patterns or `.ext` suffixes; none takes any file. */
  accept?: string[];
  /** Bytes. */
  maxSize?: number;
}

/** What the bridge knows of the host, and what it keeps for the page. */
export interface Session {
  /** Resolves after the handshake; rejects when the host refuses it or stays silent. */
  readonly ready: Promise<void>;
  readonly connected: boolean;
  /** Undefined until `ready`, as is `hostCapabilities`. */
  readonly hostInfo: Implementation | undefined;
  readonly hostCapabilities: HostCapabilities | undefined;
  /** The context now; iterating gives it and every later one, each whole. */
  readonly hostContext: HostContext & AsyncIterable<HostContext>;
  /** The call that created this View, its id as received. */
  readonly toolInfo: HostContext["toolInfo"];
  /** The complete arguments of the call that created this View. */
  readonly toolInput: Promise<JsonObject>;
  /** Best-effort arguments while the model writes them; ends when the complete ones arrive. */
  readonly toolInputPartial: AsyncIterable<JsonObject>;
  /** The result of that call; rejects with `ToolCancelled`. */
  readonly toolResult: Promise<CallToolResult>;
  /** Offer a tool to the host (draft). */
  registerTool<I = any>(name: string, tool: AppTool<I>, handler: AppToolHandler<I>): AppToolHandle;
  /** Add W3C trace context to each message; the caller's own `_meta` wins. */
  setTraceContextProvider(provider: TraceContextProvider | null): void;
  /** Run a program until the host removes the View. */
  run<T>(program: (scope: Scope) => T | Promise<T>): Promise<T>;
}

/** A View's connection to its host. Methods may be called at once; they wait for the handshake. */
export interface View extends Session {
  /** Hear an event, past ones that still hold included. Returns the function that ends it. */
  on<E extends keyof ViewEvents>(
    event: E,
    listener: (detail: ViewEvents[E]) => void,
    options?: { once?: boolean },
  ): () => void;

  /** `tools/call`. Rejects with `ToolError` for an `isError` result. */
  callTool<Structured = any>(
    name: string,
    args?: object,
    options?: RequestOptions,
  ): Promise<CallToolResult<Structured>>;
  /** `tools/list`, one page. */
  listTools(page?: Page, options?: RequestOptions): Promise<{ tools: Tool[]; nextCursor?: string }>;
  /** `resources/read`. */
  readResource(uri: string, options?: RequestOptions): Promise<{ contents: ResourceContents[] }>;
  /** `resources/list`, one page. */
  listResources(page?: Page, options?: RequestOptions): Promise<{ resources: Resource[]; nextCursor?: string }>;
  /** `ui/open-link`. */
  openLink(url: string, options?: RequestOptions): Promise<object>;
  /** `ui/message`, as the user. */
  sendMessage(content: Content, options?: RequestOptions): Promise<object>;
  /** `ui/update-model-context`; the last one wins. */
  updateModelContext(
    context: { content?: Content; structuredContent?: JsonObject },
    options?: RequestOptions,
  ): Promise<object>;
  /** `ui/request-display-mode`; gives the mode really set. One that the host does not offer is not asked for. */
  requestDisplayMode(mode: DisplayMode, options?: RequestOptions): Promise<DisplayMode>;
  /** `ui/download-file` (draft). */
  downloadFile(
    contents: EmbeddedResource | ResourceLink | (EmbeddedResource | ResourceLink)[],
    options?: RequestOptions,
  ): Promise<object>;
  /** `sampling/createMessage` (draft). */
  createMessage(params: CreateMessageParams, options?: RequestOptions): Promise<CreateMessageResult>;
  ping(options?: RequestOptions): Promise<object>;

  /** `notifications/message`. */
  log(level: LogLevel, data: unknown, logger?: string): Promise<void>;
  /** `ui/notifications/size-changed`, in pixels. */
  sendSizeChanged(size: { width?: number; height?: number }): Promise<void>;
  /** `notifications/tools/list_changed` (draft); registered tools send it themselves. */
  sendToolListChanged(): Promise<void>;
  /** `ui/notifications/request-teardown` (draft). */
  requestTeardown(): Promise<void>;

  /** Apply theme, style variables and fonts now and at each change. Returns the function that ends it. */
  applyHostStyles(): () => void;
  /** End the connection; everything that waits rejects. */
  close(): void;
}
