/** How the window finds its host again when that was started anew (host/ui-server/returns.ts). */

export interface WayBack {
	readonly key: string
	/** Where the host is if its port was taken meanwhile. */
	readonly ports: readonly number[]
}

const pollMs = 1000
/** Whoever took the port may hold a question for ever. */
const patienceMs = 3000

const base64url = (bytes: Uint8Array) =>
	btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, sign => ({ '+': '-', '/': '_' })[sign] ?? '')

async function sign(key: string, text: string): Promise<string> {
	const bytes = new TextEncoder()
	const hmac = { name: 'HMAC', hash: 'SHA-256' }
	const secret = await crypto.subtle.importKey('raw', bytes.encode(key), hmac, false, ['sign'])
	return base64url(new Uint8Array(await crypto.subtle.sign('HMAC', secret, bytes.encode(text))))
}

/** Asks without the cookie: the port may be anybody's by now. */
async function ask(origin: string, query: URLSearchParams): Promise<Record<string, unknown>> {
	const signal = AbortSignal.timeout(patienceMs)
	const response = await fetch(`${origin}/return?${query}`, { credentials: 'omit', redirect: 'error', signal })
	if (!response.ok) throw new Error('nobody of ours')
	return response.json()
}

/** What opens the door there, once. @throws Error where nobody listens who knows the key */
async function proofFor(origin: string, port: string, key: string): Promise<URLSearchParams> {
	const nonce = base64url(crypto.getRandomValues(new Uint8Array(32)))
	const { challenge, proof } = await ask(origin, new URLSearchParams({ nonce }))
	if (proof !== (await sign(key, `host ${port} ${nonce} ${challenge}`))) throw new Error('nobody of ours')
	return new URLSearchParams({
		challenge: String(challenge),
		answer: await sign(key, `window ${port} ${challenge}`),
	})
}

/** At its own port the window gets a cookie in place of the one that died with the last host, and stays what it is. */
async function tryOwnPort({ key }: WayBack): Promise<undefined> {
	const { ticket } = await ask('', await proofFor('', location.port, key))
	const entered = await fetch(`enter?ticket=${ticket}`)
	if (!entered.ok) throw new Error('not let in')
}

/** At another one its line is enough to be told where the window is now. */
async function tryPort({ key }: WayBack, port: number): Promise<URL> {
	return new URL(`ws://127.0.0.1:${port}/return?${await proofFor(`http://127.0.0.1:${port}`, String(port), key)}`)
}

/**
 * Settles when the host is there again and lets this window in. @returns the address of its line, where that is not the
 * one that it was
 */
export async function returnToHost(way: WayBack): Promise<URL | undefined> {
	for (;;) {
		await new Promise(resolve => setTimeout(resolve, pollMs))
		try {
			return await Promise.any([tryOwnPort(way), ...way.ports.map(port => tryPort(way, port))])
		} catch {
			// Nobody of ours is anywhere yet.
		}
	}
}
