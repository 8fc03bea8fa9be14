import type { Client } from '@modelcontextprotocol/client'
import { prepareForAxe } from '../../../support/axe.ts'
import { overHttp } from '../../../support/clients.ts'
import { SampleWindow, type TablePanel } from '../../../support/window.ts'

/** A state of the window: how to show it and how to leave it. */
export interface Screen {
	readonly name: string
	show(): Promise<void>
	/** Omitted if the next screen starts from this one. */
	leave?(): Promise<void>
}

/**
 * The window on a production connection with an AI client, and the actions that several screens need. Screens are listed
 * before it is open.
 */
export class Stage implements AsyncDisposable {
	#open: { readonly window: SampleWindow; readonly client: Client; readonly connection: string } | undefined
	#books: TablePanel | undefined
	#answer: Promise<unknown> | undefined

	async open(): Promise<void> {
		const window = await SampleWindow.open({ externalAccess: 'read-write', aiPolicy: 'ask', isProduction: true })
		await prepareForAxe(window.page)
		const [saved] = await window.roundhouse.json<{ id: string }[]>(['connection', 'list'])
		const client = await overHttp(window.ready.mcp.url, await window.roundhouse.addToken('full'))
		this.#open = { window, client, connection: saved?.id ?? '' }
	}

	get window(): SampleWindow {
		return this.#parts.window
	}

	/** The grid of the index `books`. */
	get books(): TablePanel {
		if (!this.#books) throw new Error('The grid is not open.')
		return this.#books
	}

	readonly openBooks = async () => {
		this.#books = await this.window.openTable('books')
	}
	readonly sheet = () => this.window.page.getByRole('dialog')
	readonly press = (...keys: readonly string[]) =>
		keys.reduce((before, key) => before.then(() => this.window.page.keyboard.press(key)), Promise.resolve())
	readonly button = (name: string) => this.window.page.getByRole('button', { name, exact: true })
	readonly closeSheet = async () => {
		await this.press('Escape')
		// A sheet with typed text asks first.
		const discard = this.sheet().getByRole('button', { name: 'Discard', exact: true })
		if ((await discard.count()) > 0) await discard.click()
		await this.sheet().waitFor({ state: 'detached' })
	}
	readonly menu = async () => {
		await this.window.page.getByRole('menuitem').first().waitFor()
	}
	readonly closeMenu = async () => {
		await this.press('Escape')
		await this.window.page.getByRole('menu').waitFor({ state: 'detached' })
	}
	/** Calls a tool as an AI client, and waits for the consent question. */
	readonly asked = async (words: string, name: string, args: Record<string, unknown>) => {
		const { client, connection } = this.#parts
		this.#answer = client.callTool({ name, arguments: { connection_id: connection, ...args } })
		await this.sheet().getByText(words).first().waitFor()
	}
	/** Waits for the answer to the tool call of {@link asked}. */
	readonly answer = async () => {
		await this.#answer
	}
	readonly refuse = async () => {
		await this.sheet().getByRole('button', { name: 'Refuse' }).click()
		await this.#answer
	}
	readonly documentText = () => this.window.page.getByRole('textbox', { name: 'Document as JSON' })
	/** Opens the find bar of the focused part and searches for the text. */
	readonly find = async (text: string) => {
		await this.press('ControlOrMeta+f')
		const bar = this.window.page.getByRole('search', { name: /^Find in/ })
		await bar.getByRole('textbox').fill(text)
		await bar.getByRole('status').filter({ hasText: '1 of' }).waitFor()
	}

	get #parts() {
		if (!this.#open) throw new Error('The window is not open.')
		return this.#open
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#open?.client.close()
		await this.#open?.window[Symbol.asyncDispose]()
	}
}
