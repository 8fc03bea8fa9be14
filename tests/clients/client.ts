/** How a client reaches the host: over HTTP, or by the bridge that it starts. */
export type Reach =
	| { readonly url: string; readonly token: string }
	| { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }

export interface Called {
	readonly isError: boolean
	readonly text: string
}

export interface ToolCall {
	readonly name: string
	readonly args: Readonly<Record<string, unknown>>
	/** Whether the user answers the client's question; else the client gives up. Default: the user agrees. */
	readonly consents?: boolean
	/** Seconds after which the client cancels. */
	readonly seconds?: number
}

/** A client of another project, connected to the host. */
export interface ForeignClient extends AsyncDisposable {
	list(): Promise<readonly string[]>
	/** @throws Error if the client got no result or has cancelled */
	call(call: ToolCall): Promise<Called>
}

/** A package that can be tested. */
export interface ClientPackage {
	readonly name: string
	connect(reach: Reach): Promise<ForeignClient>
}
