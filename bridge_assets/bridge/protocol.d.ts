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
