import type { Transport } from '../transport/transport.ts'

/** A transport whose requests are sent by `send`, so that something stands between it and the engine. For tests. */
export function sendingBy(transport: Transport, send: Transport['send']): Transport {
	return new Proxy(transport, {
		get(target, name) {
			const value: unknown = Reflect.get(target, name)
			// Its own members are private: they are reached through itself alone.
			return name === 'send' ? send : typeof value === 'function' ? value.bind(target) : value
		},
	})
}
