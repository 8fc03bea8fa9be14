import { once } from 'node:events'
import { request } from 'node:http'
import { BlockList, connect, isIP, isIPv6, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Address } from '@roundhouse/kit'
import { SocksClient } from 'socks'
import { z } from 'zod'
import { messageOf } from '../base/errors.ts'
import { stopReading } from '../base/stop-reading.ts'
import { canonicalHost, labelOf } from './address.ts'
import { networkErrors } from './errors.ts'
import { isLocal } from './forbidden.ts'

/** Proxies: which one an address is reached through, and how. */

/** `direct`: none. `machine`: what the environment says, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`. */
export const proxySettingSchema = z.discriminatedUnion('mode', [
	z.strictObject({ mode: z.literal('direct') }),
	z.strictObject({ mode: z.literal('machine') }),
	z.strictObject({
		mode: z.literal('manual'),
		/** `http://host:port`, `socks5://host:port` or `socks4://host:port`. */
		url: z.string().refine(isProxyAddress, 'Write http://host:port, socks5://host:port or socks4://host:port.'),
		/** What is reached without it, as `NO_PROXY` has it. */
		except: z.string().default(''),
	}),
])
export type ProxySetting = z.output<typeof proxySettingSchema>

/** The proxy for an address, or `undefined`. This machine itself is always reached directly. @throws HostError `network/proxy_invalid` */
export function proxyFor(setting: ProxySetting, address: Address, environment = process.env): URL | undefined {
	if (setting.mode === 'direct' || isThisMachine(address.host)) return undefined
	const named = (name: string) => environment[name] || environment[name.toUpperCase()] || ''
	const [url, except] =
		setting.mode === 'manual'
			? [setting.url, setting.except]
			: [named('https_proxy') || named('all_proxy'), named('no_proxy')]
	return url === '' || isExcepted(address, except) ? undefined : parseProxy(url)
}

const schemes = ['http:', 'socks:', 'socks5:', 'socks5h:', 'socks4:', 'socks4a:']

/** A name and a password belong into the environment, not into a file of settings. */
function isProxyAddress(text: string): boolean {
	const url = URL.parse(text)
	return url !== null && url.hostname !== '' && schemes.includes(url.protocol) && url.username === ''
}

/** @throws HostError `network/proxy_invalid`, which names no password */
export function parseProxy(text: string): URL {
	const url = URL.parse(text.includes('://') ? text : `http://${text}`)
	if (url?.hostname && schemes.includes(url.protocol)) return url
	throw networkErrors.make('proxy_invalid', { proxy: text.replace(/\/\/.*@/, '//') })
}

function isThisMachine(host: string): boolean {
	return host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && isLocal(host))
}

/** `*`, names with all that is below them, addresses, networks (`10.0.0.0/8`), each with a port or without. */
function isExcepted({ host, port }: Address, except: string): boolean {
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

/** A connection to the address through the proxy, which finds the name itself. @throws HostError `network/proxy_refused` */
export async function openThrough(proxy: URL, address: Address, signal: AbortSignal): Promise<Socket> {
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

async function tunnel(proxy: URL, address: Address, signal: AbortSignal): Promise<Socket> {
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
		// A refusal that ends like any other answer.
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

async function throughSocks(proxy: URL, { host, port }: Address, signal: AbortSignal): Promise<Socket> {
	const { username, password } = credentialsOf(proxy)
	const at = addressOf(proxy, 1080)
	// A socket of our own, which the signal ends: the library would keep its own until its time is over.
	const way = connect({ ...at, signal })
	await once(way, 'connect')
	const { socket } = await SocksClient.createConnection({
		command: 'connect',
		destination: { host, port },
		existing_socket: way,
		proxy: {
			...at,
			type: proxy.protocol.startsWith('socks4') ? 4 : 5,
			...(username && { userId: username, password }),
		},
	})
	return await withEarlyBytes(socket)
}

/** The library tells what came behind the proxy's answer a turn later, as an event, and lets the socket flow. */
async function withEarlyBytes(socket: Socket): Promise<Socket> {
	// Its own listeners are gone, and a turn is long enough for a socket to break.
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

function addressOf({ hostname, port }: URL, defaultPort: number): Address {
	return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort }
}

function credentialsOf({ username, password }: URL) {
	return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}
