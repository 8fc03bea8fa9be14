import { once } from 'node:events'
import { request } from 'node:http'
import { BlockList, connect, isIP, isIPv6, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TcpAddress } from '@roundhouse/kit'
import { SocksClient } from 'socks'
import { z } from 'zod'
import { messageOf } from '../../base/errors.ts'
import { isLocal } from '../../base/forbidden-addresses.ts'
import { stopReading } from '../../base/stop-reading.ts'
import { canonicalHost, labelOf } from './address.ts'
import { networkErrors } from './errors.ts'

/** Selects the proxy of an address, and opens connections through proxies. */

/** `direct`: no proxy. `machine`: the environment variables `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`. */
export const proxySettingSchema = z.discriminatedUnion('mode', [
	z.strictObject({ mode: z.literal('direct') }),
	z.strictObject({ mode: z.literal('machine') }),
	z.strictObject({
		mode: z.literal('manual'),
		url: z.string().refine(isProxyAddress, 'Write http://host:port, socks5://host:port or socks4://host:port.'),
		/** Hosts that are reached without the proxy, in the syntax of `NO_PROXY`. */
		except: z.string().default(''),
	}),
])
export type ProxySetting = z.output<typeof proxySettingSchema>

/**
 * Returns the proxy for an address, or `undefined`. This machine is always reached directly. @throws HostError
 * `network/proxy_invalid`
 */
export function proxyFor(setting: ProxySetting, address: TcpAddress, environment = process.env): URL | undefined {
	if (setting.mode === 'direct' || isThisMachine(address.host)) return undefined
	const named = (name: string) => environment[name] || environment[name.toUpperCase()] || ''
	const [url, except] =
		setting.mode === 'manual'
			? [setting.url, setting.except]
			: [named('https_proxy') || named('all_proxy'), named('no_proxy')]
	return url === '' || isExcepted(address, except) ? undefined : parseProxy(url)
}

const schemes = ['http:', 'socks:', 'socks5:', 'socks5h:', 'socks4:', 'socks4a:']

/** Whether a text is a proxy URL without credentials, which belong in the environment and not in the settings file. */
function isProxyAddress(text: string): boolean {
	const url = URL.parse(text)
	return url !== null && url.hostname !== '' && schemes.includes(url.protocol) && url.username === ''
}

/** @throws HostError `network/proxy_invalid`, without the password */
export function parseProxy(text: string): URL {
	const url = URL.parse(text.includes('://') ? text : `http://${text}`)
	if (url?.hostname && schemes.includes(url.protocol)) return url
	throw networkErrors.make('proxy_invalid', { proxy: text.replace(/\/\/.*@/, '//') })
}

function isThisMachine(host: string): boolean {
	return host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && isLocal(host))
}

/**
 * Whether a `NO_PROXY` list contains the address: `*`, domains with subdomains, addresses, networks (`10.0.0.0/8`),
 * with an optional port.
 */
function isExcepted({ host, port }: TcpAddress, except: string): boolean {
	return except.split(/[,\s]+/).some(entry => {
		if (entry === '*') return true
		const [, network, bits] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? []
		if (network !== undefined) return isInNetwork(host, network, Number(bits))
		const [, name = entry, onlyPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? []
		const suffix = canonicalHost(name.replace(/^\*?\./, ''))
		if (!suffix || (onlyPort !== undefined && Number(onlyPort) !== port)) return false
		return host === suffix || (!isIP(suffix) && host.endsWith(`.${suffix}`))
	})
}

function isInNetwork(host: string, network: string, bits: number): boolean {
	const family = isIPv6(network) ? 'ipv6' : 'ipv4'
	const isNetwork = isIP(network) !== 0 && bits <= (family === 'ipv6' ? 128 : 32)
	if (!isNetwork || isIP(host) !== (family === 'ipv6' ? 6 : 4)) return false
	const list = new BlockList()
	list.addSubnet(network, bits, family)
	return list.check(host, family)
}

/**
 * Opens a connection to the address through the proxy, which resolves the name. @throws HostError
 * `network/proxy_refused`
 */
export async function openThrough(proxy: URL, address: TcpAddress, signal: AbortSignal): Promise<Socket> {
	signal.throwIfAborted()
	try {
		const open = proxy.protocol === 'http:' ? tunnel : throughSocks
		return await open(proxy, address, signal)
	} catch (error) {
		if (signal.aborted) throw signal.reason
		const values = { proxy: proxy.host, address: labelOf(address), reason: messageOf(error) }
		throw networkErrors.make('proxy_refused', values, { cause: error })
	}
}

async function tunnel(proxy: URL, address: TcpAddress, signal: AbortSignal): Promise<Socket> {
	const { username, password } = credentialsOf(proxy)
	const basic = Buffer.from(`${username}:${password}`).toString('base64')
	const asking = request({
		...addressOf(proxy, 80),
		method: 'CONNECT',
		path: labelOf(address),
		headers: { host: labelOf(address), ...(username && { 'proxy-authorization': `Basic ${basic}` }) },
		agent: false,
		signal,
	}).end()
	const [response, socket, head] = await Promise.race([
		once(asking, 'connect'),
		// Some refusals arrive as a normal response.
		once(asking, 'response').then(([answer]) => {
			asking.destroy()
			throw new Error(`it answered ${answer.statusCode}`)
		}),
	])
	socket.pause()
	if (response.statusCode !== 200) {
		socket.destroy()
		throw new Error(`it answered ${response.statusCode}`)
	}
	if (head.length > 0) socket.unshift(head)
	return socket
}

async function throughSocks(proxy: URL, { host, port }: TcpAddress, signal: AbortSignal): Promise<Socket> {
	const { username, password } = credentialsOf(proxy)
	const at = addressOf(proxy, 1080)
	// Opened here so that the signal can end it: the library would keep its own socket until its timeout.
	const proxySocket = connect({ ...at, signal })
	await once(proxySocket, 'connect')
	const { socket } = await SocksClient.createConnection({
		command: 'connect',
		destination: { host, port },
		existing_socket: proxySocket,
		proxy: {
			...at,
			type: proxy.protocol.startsWith('socks4') ? 4 : 5,
			...(username && { userId: username, password }),
		},
	})
	return await withEarlyBytes(socket)
}

/**
 * Collects bytes that arrived after the proxy's answer. The library emits them one turn later, and resumes the socket.
 */
async function withEarlyBytes(socket: Socket): Promise<Socket> {
	// The library has removed its listeners, and the socket may fail within this turn.
	socket.on('error', () => {})
	const readOn = stopReading(socket)
	const early: Buffer[] = []
	const keep = (chunk: Buffer) => void early.push(chunk)
	socket.on('data', keep)
	await nextTurn()
	socket.pause().removeListener('data', keep)
	if (early.length > 0) socket.unshift(Buffer.concat(early))
	readOn()
	return socket
}

function addressOf({ hostname, port }: URL, defaultPort: number): TcpAddress {
	return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort }
}

function credentialsOf({ username, password }: URL) {
	return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}
