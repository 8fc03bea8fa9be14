import axe from 'axe-core'
import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'

/** An AI client that shows an app of Roundhouse, in place of the parent frame. */

interface ToolCall {
	readonly name: string
	readonly arguments: Readonly<Record<string, unknown>>
}

interface Message {
	readonly jsonrpc?: string
	readonly id?: number
	readonly method?: string
	readonly params?: ToolCall & { readonly height?: number }
}

afterEach(async () => {
	vi.restoreAllMocks()
	document.body.replaceChildren()
	document.documentElement.removeAttribute('style')
	await page.viewport(1280, 820)
})

let loaded = 0

export class FakeChat {
	/** Calls of the app. */
	readonly calls: ToolCall[] = []
	/** Of the app, as it reports it. */
	height = 0
	readonly #answers: (object | Promise<object>)[]

	private constructor(answers: readonly (object | Promise<object>)[]) {
		this.#answers = [...answers]
	}

	/**
	 * Loads an app again, and waits until it is ready.
	 * @param kind of the page, for the app of changes
	 * @param answers of tools, in turn
	 */
	static async show(
		app: 'rows' | 'chart' | 'changes',
		{ kind = '', answers = [] as readonly (object | Promise<object>)[] } = {},
	) {
		const chat = new FakeChat(answers)
		const ready = Promise.withResolvers<void>()
		const original = window.parent.postMessage.bind(window.parent)
		const receive = (message: Message) => {
			if (message.jsonrpc === undefined) return original(message, '*')
			if (message.method === 'ui/notifications/initialized') ready.resolve()
			if (message.method === 'ui/notifications/size-changed') chat.height = message.params?.height ?? 0
			if (message.id !== undefined && message.method !== undefined) void chat.#answer(message)
		}
		vi.spyOn(window.parent, 'postMessage').mockImplementation(receive)
		document.body.dataset.page = kind
		// Another address loads the module again.
		await import(/* @vite-ignore */ `../apps/${app}.tsx?${++loaded}`)
		await ready.promise
		return chat
	}

	async #answer({ id, method, params }: Message): Promise<void> {
		if (method === 'tools/call' && params) this.calls.push(params)
		const ready = { hostContext: { theme: 'light' }, hostCapabilities: { serverTools: {} } }
		const result = method === 'ui/initialize' ? ready : await this.#answers.shift()
		this.#send({ id, result })
	}

	#send(message: object): void {
		const data = { jsonrpc: '2.0', ...message }
		window.dispatchEvent(new MessageEvent('message', { source: window.parent, data }))
	}

	/** Tells the app something, such as `tool-input`. */
	notify(what: string, params: object): void {
		this.#send({ method: `ui/notifications/${what}`, params })
	}

	call(args: Readonly<Record<string, unknown>>): void {
		this.notify('tool-input', { arguments: args })
	}

	give(result: object): void {
		this.notify('tool-result', result)
	}
}

export const toolResult = (value: object) => ({
	content: [{ type: 'text', text: JSON.stringify(value) }],
	structuredContent: value,
})

/** Checks that the app is accessible in both themes, as narrow as a chat on a phone, and that it reports its height. */
export async function fitsChat(chat: FakeChat): Promise<void> {
	for (const theme of ['light', 'dark']) {
		chat.notify('host-context-changed', { theme })
		const options = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'], resultTypes: ['violations'] as 'violations'[] }
		const rules = { rules: { 'html-has-lang': { enabled: false }, 'document-title': { enabled: false } } }
		const { violations } = await axe.run(document, { ...options, ...rules })
		const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
		expect(found, theme).toEqual([])
	}
	for (const width of [320, 700]) {
		await page.viewport(width, 900)
		const { scrollWidth, clientWidth } = document.documentElement
		expect(scrollWidth - clientWidth, `at ${width}`).toBe(0)
		await expect.poll(() => chat.height).toBe(Math.ceil(document.body.getBoundingClientRect().height))
	}
}
