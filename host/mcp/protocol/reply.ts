/** How an answer leaves, without a word of HTTP beyond status and headers. One of `json`, `accepted` and `stream` is called, once. */
export interface Reply {
	json(status: number, text: string, headers?: Readonly<Record<string, string>>): void
	/** A notification was taken: 202, no body. */
	accepted(): void
	/** Opens a stream of frames, status 200. */
	stream(headers?: Readonly<Record<string, string>>): FrameStream
	/** Calls back when the client goes away before the answer is complete. */
	onDropped(listener: () => void): void
}

export interface FrameStream {
	/** One JSON-RPC message. */
	send(text: string): void
	/** The last message; the stream ends. */
	end(text: string): void
}
