/** Types of this server's tools for editors and tsc; written by `mcpapps types`. */

declare module "mcpapps:bridge" {
  export interface Tools {
    /** Show a rhythm that spreads its beats over its steps as evenly as it can. */
    show_rhythm: {
      input: {
        /**
         * @minimum 1
         * @maximum 16
         * @default 3
         */
        beats?: number;
        /**
         * @minimum 2
         * @maximum 16
         * @default 8
         */
        steps?: number;
        /**
         * Steps to move the first beat on
         * @minimum 0
         * @maximum 15
         * @default 0
         */
        turn?: number;
      };
      output: {
        beats: number;
        steps: number;
        /** How many steps the first beat is moved on */
        turn: number;
        /** Whether each step has a beat */
        pattern: boolean[];
      };
    };
  }

  /** Every tool. */
  export type ToolName = keyof Tools;

  /** The tools that a View may call. */
  export type CallableTool = "show_rhythm";

  /** The arguments of a tool. */
  export type ToolInput<Name extends ToolName> = Tools[Name]["input"];

  /** The `structuredContent` of a tool's result. */
  export type ToolOutput<Name extends ToolName> = Tools[Name]["output"];

  /** What the model has written so far: anything may be missing. */
  export type Partly<T> = T extends object ? { [K in keyof T]?: Partly<T[K]> } : T;

  /** What `callTool` takes after the tool's name. */
  export type ToolArguments<Name extends ToolName> = {} extends ToolInput<Name> ? [args?: ToolInput<Name>, options?: RequestOptions] : [args: ToolInput<Name>, options?: RequestOptions];

  /** The events of a View that shows calls of `Name`. */
  export type ToolEvents<Name extends ToolName> = Omit<ViewEvents, "toolinput" | "toolinputpartial" | "toolresult"> & { toolinput: ToolInput<Name>; toolinputpartial: Partly<ToolInput<Name>>; toolresult: CallToolResult<ToolOutput<Name>> };

  /** The connection of a View that shows calls of `Name`. */
  export type ToolView<Name extends ToolName = ToolName> = Omit<View, "callTool" | "on" | "toolInput" | "toolInputPartial" | "toolResult"> & { readonly toolInput: Promise<ToolInput<Name>>; readonly toolInputPartial: AsyncIterable<Partly<ToolInput<Name>>>; readonly toolResult: Promise<CallToolResult<ToolOutput<Name>>>; callTool<Called extends CallableTool>(name: Called, ...rest: ToolArguments<Called>): Promise<CallToolResult<ToolOutput<Called>>>; on<E extends keyof ToolEvents<Name>>(event: E, listener: (detail: ToolEvents<Name>[E]) => void, options?: { once?: boolean }): () => void };

  /** Connect the View of `Name`, as in `connect<"my_tool">(options)`. */
  export function connect<Name extends ToolName = never>(
    options: [Name] extends [never] ? never : ConnectOptions,
  ): ToolView<Name>;
}
