import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, FrameLocator, Page } from 'playwright'
import { openBrowser, openPages } from '../../../support/browser.ts'

export const appMimeType = 'text/html;profile=mcp-app'

/** The parts of an MCP client that a host of apps uses. */
export interface AppClient {
	listTools(): Promise<{ tools: readonly { readonly name: string; readonly _meta?: object }[] }>
	readResource(params: { uri: string }): Promise<{ contents: readonly object[] }>
	callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<object>
	close(): Promise<void>
}

interface ToolCall {
	readonly name: string
	readonly arguments: Record<string, unknown>
}

/** A page in Chromium that shows apps as an AI client does, with the MCP client in this process. */
export class AppHost implements AsyncDisposable {
	readonly page: Page
	readonly #browser: Browser
	readonly #client: AppClient
	/** What the browser refused, and requests to other addresses. */
	readonly faults: string[] = []
	readonly calls: ToolCall[] = []

	private constructor(browser: Browser, page: Page, client: AppClient) {
		this.#browser = browser
		this.page = page
		this.#client = client
	}

	static async open(client: AppClient): Promise<AppHost> {
		const entry = join(import.meta.dirname, 'host-page.mjs')
		const bundled = await build({ entryPoints: [entry], bundle: true, write: false, format: 'iife' })
		const browser = await openBrowser()
		const page = await (await browser.newContext({ viewport: { width: 700, height: 900 } })).newPage()
		openPages.add(page)
		page.once('close', () => openPages.delete(page))
		const host = new AppHost(browser, page, client)
		page.on('pageerror', error => host.faults.push(error.message))
		page.on('console', message => {
			if (['error', 'warning'].includes(message.type())) host.faults.push(message.text())
		})
		page.on('request', request => {
			if (!request.url().startsWith('about:')) host.faults.push(request.url())
		})
		await page.exposeFunction('callTool', (call: ToolCall) => {
			host.calls.push(call)
			return host.#client.callTool(call)
		})
		await page.setContent('<!doctype html><html lang="en"><title>Chat</title><body style="margin: 0"></body></html>')
		await page.evaluate(bundled.outputFiles[0]?.text ?? '')
		return host
	}

	/** Shows the app of a tool with the arguments of a call. */
	async show(call: ToolCall, context: object = { theme: 'light' }): Promise<FrameLocator> {
		const { tools } = await this.#client.listTools()
		const meta = tools.find(({ name }) => name === call.name)?._meta as { ui: { resourceUri: string } }
		const { contents } = await this.#client.readResource({ uri: meta.ui.resourceUri })
		const { text } = contents[0] as { text: string }
		await this.page.evaluate(`showApp(${JSON.stringify(text)}, ${JSON.stringify(context)})`)
		await this.page.evaluate(`bridge.sendToolInput({ arguments: ${JSON.stringify(call.arguments)} })`)
		return this.app
	}

	get app(): FrameLocator {
		return this.page.frameLocator('iframe')
	}

	/** Calls the tool and passes the result to the app. */
	async run(call: ToolCall): Promise<void> {
		const result = await this.#client.callTool(call)
		await this.page.evaluate(`bridge.sendToolResult(${JSON.stringify(result)})`)
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#browser.close()
		await this.#client.close()
	}
}
