import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { layout } from '../../base/layout.ts'
import type { HostEvents } from '../api/api.ts'
import { ApiCaller } from '../api/api-caller.ts'
import type { Exports } from '../api/exports.ts'
import type { Methods } from '../api/methods.ts'
import type { Sessions } from '../connections/sessions.ts'
import type { Door } from './door.ts'
import type { LoopbackPort } from './loopback.ts'
import { loadFiles, Pages } from './pages.ts'

/** Serves the window's files and the host API on loopback, to callers that the door admits. */
export interface UiServer {
	emit<E extends keyof HostEvents>(event: E, data: HostEvents[E]): void
	/** Connected windows and commands. */
	callers(): number
	/** Their calls that are not answered yet. */
	runningCalls(): number
	/** Disconnects all callers and admits no more. */
	close(): void
}

/** Edits of the host API contain whole rows. */
const messageLimitBytes = 64 * 1024 * 1024

export async function startUiServer(options: {
	readonly port: LoopbackPort
	readonly door: Door
	/** Without it, only commands are served. */
	readonly hasWindow: boolean
	readonly methods: Methods
	readonly sessions: Sessions
	readonly exports: Exports
	/** Called when a window connects; call the result when it disconnects. */
	onWindow(): () => void
}): Promise<UiServer> {
	const callers = new Set<ApiCaller>()
	let isClosed = false
	const sockets = new WebSocketServer({ noServer: true, maxPayload: messageLimitBytes })
	const { door, exports } = options
	const { port, servers } = options.port
	const pages = new Pages({ door, port, exports, files: options.hasWindow ? await loadFiles(layout.ui) : new Map() })
	for (const server of servers) {
		server.on('request', (request, response) => pages.serve(request, response)).on('upgrade', upgrade)
	}

	function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		// Before the upgrade no other listener handles its errors, and a page may reset it at any moment.
		const onError = () => socket.destroy()
		socket.on('error', onError)
		const kind = !isClosed && door.isAddressed(request) ? door.caller(request) : undefined
		if (kind === undefined) {
			socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
			return
		}
		sockets.handleUpgrade(request, socket, head, webSocket => {
			socket.off('error', onError)
			const caller = new ApiCaller(webSocket, options.methods, options.sessions)
			callers.add(caller)
			webSocket.on('error', () => webSocket.terminate())
			// A command is not a window: it shows nothing to the user.
			const onGone = kind === 'window' ? options.onWindow() : undefined
			webSocket.once('close', () => {
				callers.delete(caller)
				onGone?.()
			})
		})
	}

	return {
		emit: (event, data) => {
			for (const caller of callers) caller.emit(event, data)
		},
		callers: () => callers.size,
		runningCalls: () => [...callers].reduce((sum, caller) => sum + caller.runningCalls, 0),
		close: () => {
			isClosed = true
			for (const socket of sockets.clients) socket.close(1001, 'the host stops')
			for (const socket of sockets.clients) socket.terminate()
		},
	}
}
