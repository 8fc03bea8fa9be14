import type { ServerInfo } from '@roundhouse/kit'
import type { DriverMethod, ParamsOf, ResultOf } from '@roundhouse/kit/wire/messages'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import type { DriverProcess } from '../driver-runtime/driver-process.ts'
import type { SavedConnection } from './saved-connections.ts'

/** Methods that act on an open connection. */
type SessionMethod = {
	[M in DriverMethod]: ParamsOf<M> extends { readonly connection: number } ? M : never
}[DriverMethod]
type SessionParams<M extends SessionMethod> = Omit<ParamsOf<M>, 'connection'>

/** A connection that is open in its driver's process. Shared by the window and the AI clients. */
export class Session {
	readonly saved: SavedConnection
	readonly info: ServerInfo
	readonly process: DriverProcess
	/** The connection's number on the wire, for calls that carry it in another place. */
	readonly handle: number

	constructor(saved: SavedConnection, info: ServerInfo, process: DriverProcess, handle: number) {
		this.saved = saved
		this.info = info
		this.process = process
		this.handle = handle
	}

	/** Calls the driver on this connection. @throws DriverError */
	call<M extends SessionMethod>(method: M, params: SessionParams<M>, options?: CallOptions): Promise<ResultOf<M>> {
		// Omit and the added member make ParamsOf<M> again, which TypeScript cannot see through M.
		return this.process.call(method, { ...params, connection: this.handle } as unknown as ParamsOf<M>, options)
	}
}
