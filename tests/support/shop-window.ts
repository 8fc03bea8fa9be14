import type { Page } from 'playwright'
import { shop } from '../../plugins/postgres/servers/schema.ts'
import { startServer, type TestServer } from '../../plugins/postgres/servers/server.ts'
import { serveRegistry } from '../../registry/publisher/serve.ts'
import { openBrowser, openPage } from './browser.ts'
import { builtRegistry } from './registry.ts'
import { Roundhouse } from './roundhouse.ts'
import { TablePanel } from './window.ts'

/** The window on a real PostgreSQL server with the tables of a shop. */
export class ShopWindow implements AsyncDisposable {
	readonly page: Page
	readonly server: TestServer
	readonly roundhouse: Roundhouse
	/** The address for AI clients. */
	readonly mcpUrl: string
	/** Errors that the window threw or logged. */
	readonly faults: readonly string[]
	readonly #parts: AsyncDisposableStack

	private constructor(
		page: Page,
		{ server, roundhouse, mcpUrl }: Pick<ShopWindow, 'server' | 'roundhouse' | 'mcpUrl'>,
		faults: readonly string[],
		parts: AsyncDisposableStack,
	) {
		this.page = page
		this.server = server
		this.roundhouse = roundhouse
		this.mcpUrl = mcpUrl
		this.faults = faults
		this.#parts = parts
	}

	/**
	 * @param schema SQL that runs after that of the shop
	 * @param settings of the connection, beside those of the server
	 * @param prepare what else the server has
	 * @param aiAccess what AI clients may do, beside the default
	 */
	static async open(
		schema = '',
		settings: Readonly<Record<string, boolean>> = {},
		prepare: (server: TestServer) => Promise<unknown> = async () => {},
		aiAccess: { readonly externalAccess?: 'read-write'; readonly aiPolicy?: 'allow' } = {},
	): Promise<ShopWindow> {
		await using parts = new AsyncDisposableStack()
		const [server, browser, roundhouse] = await Promise.all([
			startServer({ schema: `${shop} ${schema}; analyze;` }),
			openBrowser(),
			Roundhouse.make(),
		])
		parts.defer(() => server.stop())
		await prepare(server)
		parts.use(roundhouse)
		const { folder, fingerprint } = await builtRegistry()
		const registry = await serveRegistry(folder)
		parts.defer(() => registry.close())
		const { mcp } = await roundhouse.serve(['--registry', registry.url, '--registry-key', fingerprint])
		await roundhouse.withHost(host =>
			host.call('connections.add', {
				driverId: 'postgres',
				name: 'Shop',
				...aiAccess,
				settings: { ...server.settings, ...settings },
			}),
		)
		parts.defer(() => browser.close())
		const faults: string[] = []
		const page = await openPage(browser, roundhouse, faults)
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await page.getByRole('button', { name: 'Shop', exact: true }).click()
		return new ShopWindow(page, { server, roundhouse, mcpUrl: mcp.url }, faults, parts.move())
	}

	/** Opens a table of the schema `public` from the sidebar, and waits for its first cells. */
	async openTable(title: string): Promise<TablePanel> {
		const tables = this.page.getByRole('list', { name: 'Tables' })
		await tables.getByRole('button', { name: title, exact: false }).first().click()
		const panel = this.panel(title)
		await panel.root.getByRole('gridcell').first().waitFor()
		return panel
	}

	/** The visible panel of a table. */
	panel(title: string): TablePanel {
		const root = this.page.getByRole('tabpanel', { name: `public.${title}`, exact: true })
		return new TablePanel(root.filter({ visible: true }))
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#parts.disposeAsync()
	}
}
