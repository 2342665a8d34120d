/** Types of the bridge for editors and tsc; written by `mcpapps`. */

declare module "mcpapps:bridge" {
  /** What travels between View and host (MCP Apps 2026-01-26 and its draft; core MCP). */

  export type JsonObject = Record<string, unknown>;
  export type RequestId = string | number;
  export type DisplayMode = "inline" | "fullscreen" | "pip";
  export type LogLevel =
    | "debug"
    | "info"
    | "notice"
    | "warning"
    | "error"
    | "critical"
    | "alert"
    | "emergency";

  export interface Implementation {
    name: string;
    version: string;
    title?: string;
    [key: string]: unknown;
  }

  export interface TextContent {
    type: "text";
    text: string;
    [key: string]: unknown;
  }
  export interface BinaryContent {
    type: "image" | "audio";
    data: string;
    mimeType: string;
    [key: string]: unknown;
  }
  export interface ResourceContents {
    uri: string;
    mimeType?: string;
    text?: string;
    blob?: string;
    _meta?: JsonObject;
  }
  export interface EmbeddedResource {
    type: "resource";
    resource: ResourceContents;
    [key: string]: unknown;
  }
  export interface ResourceLink {
    type: "resource_link";
    uri: string;
    name: string;
    [key: string]: unknown;
  }
  export type ContentBlock = TextContent | BinaryContent | EmbeddedResource | ResourceLink;
  /** A text, one block, or several; the bridge makes the array that goes on the wire. */
  export type Content = string | ContentBlock | ContentBlock[];

  export interface CallToolResult<Structured = any> {
    content: ContentBlock[];
    structuredContent?: Structured;
    isError?: boolean;
    _meta?: JsonObject;
  }
  export interface Tool {
    name: string;
    title?: string;
    description?: string;
    inputSchema?: JsonObject;
    outputSchema?: JsonObject;
    annotations?: JsonObject;
    _meta?: JsonObject;
    [key: string]: unknown;
  }
  export interface Resource {
    uri: string;
    name: string;
    title?: string;
    description?: string;
    mimeType?: string;
    _meta?: JsonObject;
    [key: string]: unknown;
  }
  /** Ask for the next page with the `nextCursor` of the one before. */
  export interface Page {
    cursor?: string;
  }
  export interface Progress {
    progressToken: RequestId;
    progress: number;
    total?: number;
    message?: string;
  }

  export interface Modalities {
    text?: object;
    image?: object;
    audio?: object;
    resource?: object;
    resourceLink?: object;
    structuredContent?: object;
  }
  /** What the host can do; a key that is present, even as `{}`, is a capability that it has. */
  export interface HostCapabilities {
    experimental?: JsonObject;
    openLinks?: object;
    serverTools?: { listChanged?: boolean };
    serverResources?: { listChanged?: boolean };
    logging?: object;
    sandbox?: {
      permissions?: { camera?: object; microphone?: object; geolocation?: object; clipboardWrite?: object };
      csp?: {
        connectDomains?: string[];
        resourceDomains?: string[];
        frameDomains?: string[];
        baseUriDomains?: string[];
      };
    };
    /** Draft. */
    downloadFile?: object;
    /** Draft. */
    updateModelContext?: Modalities;
    /** Draft. */
    message?: Modalities;
    /** Draft. */
    sampling?: { tools?: object };
    [key: string]: unknown;
  }

  /** Where the View is shown; every field is optional. */
  export interface HostContext {
    /** The tool call that created this View; `id` is its JSON-RPC id as the server received it. */
    toolInfo?: { id?: RequestId; tool: Tool };
    theme?: "light" | "dark";
    styles?: { variables?: Record<string, string | undefined>; css?: { fonts?: string } };
    displayMode?: DisplayMode;
    availableDisplayModes?: string[];
    containerDimensions?: { height?: number; maxHeight?: number; width?: number; maxWidth?: number };
    locale?: string;
    timeZone?: string;
    userAgent?: string;
    platform?: "web" | "desktop" | "mobile";
    deviceCapabilities?: { touch?: boolean; hover?: boolean };
    safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
    [key: string]: unknown;
  }

  /** Draft: a request that the host's model complete a message. */
  export interface CreateMessageParams {
    messages: { role: "user" | "assistant"; content: unknown }[];
    maxTokens: number;
    tools?: Tool[];
    [key: string]: unknown;
  }
  export interface CreateMessageResult {
    role: "user" | "assistant";
    content: unknown;
    model: string;
    stopReason?: string;
    [key: string]: unknown;
  }

  /** The part of Standard Schema v1 that the bridge reads; Zod, Valibot and ArkType objects have it. */
  export interface StandardSchema<Output = any> {
    readonly "~standard": {
      readonly version: 1;
      readonly vendor: string;
      readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
      readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
      readonly [key: string]: unknown;
    };
  }
  export type StandardResult<Output> =
    | { readonly value: Output; readonly issues?: undefined }
    | {
        readonly issues: readonly {
          readonly message: string;
          readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
        }[];
      };

  export interface InitializeResult {
    protocolVersion: string;
    hostInfo: Implementation;
    hostCapabilities: HostCapabilities;
    hostContext: HostContext;
    [key: string]: unknown;
  }

  /** The public face of the bridge. */


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

  export type BridgeError = Error;
  /** @typedef {Error} BridgeError */
  /**
   * Whatever went wrong between this View and its host.
   * @type {new (message: string, fields?: object) => BridgeError}
   */
  export const BridgeError: new (message: string, fields?: object) => BridgeError;
  export type HostError = BridgeError & {
      code: number;
      data?: unknown;
  };
  /** @typedef {BridgeError & { code: number, data?: unknown }} HostError */
  /**
   * The host answered a request with an error, or declined it with an `isError` result. `code` is the
   * JSON-RPC error code, -32000 for a result, which has none; `data` is the error's data, or the
   * whole result.
   * @type {new (message: string, fields: { code: number, data?: unknown }) => HostError}
   */
  export const HostError: new (message: string, fields: {
      code: number;
      data?: unknown;
  }) => HostError;
  export type ToolError = BridgeError & {
      result: CallToolResult;
  };
  /** @typedef {BridgeError & { result: CallToolResult }} ToolError */
  /**
   * A tool that this View called answered with `isError`; `result` is what it answered.
   * @type {new (message: string, fields: { result: CallToolResult }) => ToolError}
   */
  export const ToolError: new (message: string, fields: {
      result: CallToolResult;
  }) => ToolError;
  export type ToolCancelled = BridgeError & {
      reason?: string;
  };
  /** @typedef {BridgeError & { reason?: string }} ToolCancelled */
  /**
   * The tool call that this View renders was cancelled; `reason` is the host's, when it gave one.
   * @type {new (message: string, fields: { reason?: string }) => ToolCancelled}
   */
  export const ToolCancelled: new (message: string, fields: {
      reason?: string;
  }) => ToolCancelled;
  export type CapabilityError = BridgeError & {
      capability: string;
  };
  /** @typedef {BridgeError & { capability: string }} CapabilityError */
  /**
   * The host does not advertise the `capability` that a method needs; nothing was sent.
   * @type {new (message: string, fields: { capability: string }) => CapabilityError}
   */
  export const CapabilityError: new (message: string, fields: {
      capability: string;
  }) => CapabilityError;
  export type TimeoutError = BridgeError & {
      timeout: number;
  };
  /** @typedef {BridgeError & { timeout: number }} TimeoutError */
  /**
   * The host did not answer within `timeout` milliseconds.
   * @type {new (message: string, fields: { timeout: number }) => TimeoutError}
   */
  export const TimeoutError: new (message: string, fields: {
      timeout: number;
  }) => TimeoutError;
  export type FileError = BridgeError & FileFault;
  /**
   * @typedef {object} FileFault
   * @property {"cancelled" | "file_too_large" | "file_type_not_accepted"} reason
   * @property {number} [size] Bytes.
   * @property {number} [maxSize] Bytes.
   * @property {string} [mediaType]
   * @property {string[]} [accept]
   */
  /** @typedef {BridgeError & FileFault} FileError */
  /**
   * The user chose no file, or one that the page cannot take.
   * @type {new (message: string, fields: FileFault) => FileError}
   */
  export const FileError: new (message: string, fields: FileFault) => FileError;
  export type FileFault = {
      reason: "cancelled" | "file_too_large" | "file_type_not_accepted";
      /**
       * Bytes.
       */
      size?: number | undefined;
      /**
       * Bytes.
       */
      maxSize?: number | undefined;
      mediaType?: string | undefined;
      accept?: string[] | undefined;
  };

  export function connect(options: ConnectOptions): View;

  export function accepts({ name, type }: {
      name: string;
      type: string;
  }, rules: string[]): boolean;
  export function selectFiles({ accept, maxSize }?: FileChoice, multiple?: boolean): Promise<string[]>;
  export function selectFile(choice?: FileChoice): Promise<string>;
}

/** The bridge of `<script src="mcpapps:bridge">`. */
declare const mcpapps: typeof import("mcpapps:bridge");
