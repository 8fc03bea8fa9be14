import { isJsonObject, type Json, type JsonObject, parseWithReviver } from '@roundhouse/kit/json'
import { createSignal } from 'solid-js'

/**
 * The link of an app to its host: the AI client that shows it (extension `io.modelcontextprotocol/ui`, specification of
 * 2026-01-26). JSON-RPC in messages of the browser. Only the parent frame is heard.
 */

export interface ToolOutcome {
	/** The message of a failed call; `undefined` if it succeeded. */
	readonly failure: string | undefined
	/** The structured content; `undefined` if the call failed or the client passed nothing readable. */
	readonly value: JsonObject | undefined
	/** Whether the client passed the result without its exact text, so that long numbers may be rounded. */
	readonly isRounded: boolean
}

interface HostContext {
	readonly theme?: unknown
	readonly styles?: { readonly variables?: Readonly<Record<string, unknown>> }
}

interface Answer {
	resolve(result: JsonObject): void
	reject(error: Error): void
}

/** A call of the app fails if the client does not answer within this time. */
const maxWaitMs = 120_000

/** Variables of the host that replace ours. Colours are replaced all together or not at all, so that they contrast. */
const hostColours = {
	'--color-background-primary': '--canvas',
	'--color-text-primary': '--text',
	'--color-text-secondary': '--quiet',
	'--color-border-primary': '--line',
}
const hostFonts = { '--font-sans': '--ui', '--font-mono': '--mono' }

export function connectToHost(name: string) {
	const pending = new Map<number, Answer>()
	const [input, setInput] = createSignal<JsonObject>()
	const [outcome, setOutcome] = createSignal<ToolOutcome>()
	const [isCancelled, setCancelled] = createSignal(false)
	const [canCallTools, setCanCallTools] = createSignal(false)
	let lastId = 0

	const post = (message: object) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
	const notify = (method: string, params: object = {}) => post({ method, params })
	function request(method: string, params: object): Promise<JsonObject> {
		lastId++
		const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
		pending.set(lastId, { resolve, reject })
		post({ id: lastId, method, params })
		const timer = setTimeout(() => reject(new Error('This client did not answer.')), maxWaitMs)
		return promise.finally(() => clearTimeout(timer))
	}

	function answered(id: number, { result, error }: JsonObject): void {
		const answer = pending.get(id)
		pending.delete(id)
		if (isJsonObject(error)) answer?.reject(new Error(textIn(error.message) ?? 'The client reports an error.'))
		else answer?.resolve(isJsonObject(result) ? result : {})
	}

	function notified(method: string, params: JsonObject): void {
		if (method === 'ui/notifications/tool-input') {
			// A new call has no outcome yet.
			setOutcome()
			setCancelled(false)
			setInput(isJsonObject(params.arguments) ? params.arguments : {})
		}
		if (method === 'ui/notifications/tool-result') setOutcome(outcomeOf(params))
		if (method === 'ui/notifications/tool-cancelled') setCancelled(true)
		if (method === 'ui/notifications/host-context-changed') applyContext(params as HostContext)
	}

	window.addEventListener('message', ({ source, data }: MessageEvent<JsonObject>) => {
		if (source !== window.parent || !isJsonObject(data)) return
		const { id, method, params } = data
		if (typeof method !== 'string') return typeof id === 'number' ? answered(id, data) : undefined
		if (id === undefined) return notified(method, isJsonObject(params) ? params : {})
		const isKnown = method === 'ping' || method === 'ui/resource-teardown'
		post(isKnown ? { id, result: {} } : { id, error: { code: -32601, message: 'Not supported' } })
	})

	async function start(): Promise<void> {
		const about = { appInfo: { name, version: '1' }, appCapabilities: {}, protocolVersion: '2026-01-26' }
		// The page shows its call even if the client does not complete the handshake.
		const { hostContext, hostCapabilities } = await request('ui/initialize', about).catch((): JsonObject => ({}))
		if (isJsonObject(hostContext)) applyContext(hostContext as HostContext)
		setCanCallTools(isJsonObject(hostCapabilities) && hostCapabilities.serverTools !== undefined)
		notify('ui/notifications/initialized')
		new ResizeObserver(() => {
			notify('ui/notifications/size-changed', { height: Math.ceil(document.body.getBoundingClientRect().height) })
		}).observe(document.body)
	}

	return {
		start,
		/** The arguments of the call. The host has parsed them: a long number can be rounded. */
		input,
		outcome,
		isCancelled,
		/** Whether the host lets the app call tools. */
		canCallTools,
		request,
	}
}
export type HostLink = ReturnType<typeof connectToHost>

/** Calls a tool as the model does: policy, consent and log are the same. A failure is in the outcome. */
export async function callTool(host: HostLink, tool: string, args: JsonObject): Promise<ToolOutcome> {
	try {
		return outcomeOf(await host.request('tools/call', { name: tool, arguments: args }))
	} catch (error) {
		return { failure: error instanceof Error ? error.message : String(error), value: undefined, isRounded: false }
	}
}

/** The text has all digits; the structured content was parsed by the client, which rounds long numbers. */
function outcomeOf({ content, structuredContent, isError }: JsonObject): ToolOutcome {
	const texts = (Array.isArray(content) ? content : []).flatMap(block =>
		isJsonObject(block) && typeof block.text === 'string' ? [block.text] : [],
	)
	if (isError === true) return { failure: texts.join(' ') || 'The call failed.', value: undefined, isRounded: false }
	try {
		const value = parseWithReviver(texts[0] ?? '')
		if (isJsonObject(value)) return { failure: undefined, value, isRounded: false }
	} catch {
		// The client may have replaced a long text by a reference.
	}
	const value = isJsonObject(structuredContent) ? structuredContent : undefined
	return { failure: undefined, value, isRounded: value !== undefined }
}

/** Returns a string, or `undefined` for another value. */
export const textIn = (value: Json | undefined) => (typeof value === 'string' ? value : undefined)

/** Whether a number probably has the digits that were sent. A double holds 15; from 1e21, those it prints are fewer. */
export function isExactNumber(value: number): boolean {
	const isPrinted = Math.abs(value) < 1e21 && String(value).replace(/e.*|\D/g, '').length <= 15
	return Number.isSafeInteger(value) || isPrinted
}

/** Whether all numbers in a value have the digits that were sent. */
export function isExact(value: Json): boolean {
	if (typeof value === 'number') return isExactNumber(value)
	return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

function applyContext({ theme, styles }: HostContext): void {
	const { style } = document.documentElement
	const variables = styles?.variables ?? {}
	const replace = (names: Readonly<Record<string, string>>) => {
		for (const [theirs, ours] of Object.entries(names)) {
			const value = variables[theirs]
			if (typeof value === 'string') style.setProperty(ours, value)
		}
	}
	replace(hostFonts)
	if (theme !== 'light' && theme !== 'dark') return
	style.colorScheme = theme
	// The other colours of the theme fit only colours of the same theme.
	if (Object.keys(hostColours).every(name => isColour(variables[name]))) replace(hostColours)
}

/** Whether a value is an opaque colour. A value that refers to an address is none. */
function isColour(value: unknown): boolean {
	const probe = new Option().style
	probe.color = String(value)
	return probe.color !== '' && !/transparent|rgba|\/|var|current/.test(probe.color)
}
