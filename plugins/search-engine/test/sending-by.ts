import type { Transport } from '../transport/transport.ts'

/** Returns a transport whose requests are sent by `send`, so that a test can intercept them. */
export function sendingBy(transport: Transport, send: Transport['send']): Transport {
	return new Proxy(transport, {
		get(target, name) {
			const value: unknown = Reflect.get(target, name)
			// Bound to the target, because its members are private.
			return name === 'send' ? send : typeof value === 'function' ? value.bind(target) : value
		},
	})
}
