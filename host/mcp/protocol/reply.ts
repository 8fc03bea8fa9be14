/** Sends the answer of a request. Exactly one of `json`, `accepted` and `stream` is called, once. */
export interface Reply {
	/** @param text the body, as text or in UTF-8 */
	json(status: number, text: string | Buffer, headers?: Readonly<Record<string, string>>): void
	/** Accepts a notification: status 202, no body. */
	accepted(): void
	/** Opens a stream of frames, status 200. */
	stream(headers?: Readonly<Record<string, string>>): FrameStream
	/** Registers a listener for a client that disconnects before the answer is complete. */
	onDropped(listener: () => void): void
}

export interface FrameStream {
	/** Sends one JSON-RPC message. */
	send(text: string): void
	/** Sends one JSON-RPC message. Resolves when the operating system has it, or the client is gone. */
	deliver(text: string): Promise<void>
	/** Sends the last message and ends the stream. */
	end(text: string): void
}
