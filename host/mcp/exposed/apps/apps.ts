import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import { layout } from '../../../../base/layout.ts'
import type { McpCall } from '../../protocol/method.ts'
import { type Complete, complete, hourMs } from '../../protocol/outcome.ts'
import type { ToolDescriptor } from '../framework/tool.ts'

/**
 * Pages that a client shows in its chat for a call of a tool (extension `io.modelcontextprotocol/ui`, specification of
 * 2026-01-26). They are in `ui/apps`. Only clients that declare the extension see them; all others get the same bytes as
 * without it. An app calls tools as the model does: policy, consent and log do not depend on it.
 */

const extension = 'io.modelcontextprotocol/ui'
const mimeType = 'text/html;profile=mcp-app'

type AppName = 'rows' | 'chart' | 'insert' | 'update' | 'delete'

const appOf: Readonly<Record<string, AppName | undefined>> = {
	browse_table: 'rows',
	query: 'rows',
	aggregate: 'chart',
	insert_rows: 'insert',
	update_rows: 'update',
	delete_rows: 'delete',
}

/** An app as it is served. */
interface App {
	/** Clients cache by URI, so it changes with the page. */
	readonly uri: string
	readonly html: string
}

/** Whether a client declares that it shows apps. */
export function showsApps({ clientCapabilities: { extensions } }: Pick<McpCall, 'clientCapabilities'>): boolean {
	const declared = isJsonObject(extensions) ? extensions[extension] : undefined
	return isJsonObject(declared) && Array.isArray(declared.mimeTypes) && declared.mimeTypes.includes(mimeType)
}

/** The apps of a folder, read when first needed. */
export class Apps {
	readonly #read = new Map<AppName, App>()
	readonly #folder: string
	readonly #onFault: (error: unknown) => void

	/** `onFault` gets the error of a file that cannot be read. */
	constructor(onFault: (error: unknown) => void, folder = layout.apps) {
		this.#onFault = onFault
		this.#folder = folder
	}

	/** Returns a tool with the address of its app, if it has one that can be read. */
	withApp(tool: ToolDescriptor): ToolDescriptor & { readonly _meta?: JsonObject } {
		const name = appOf[tool.name]
		const app = name && this.#app(name)
		return app ? { ...tool, _meta: { ui: { resourceUri: app.uri } } } : tool
	}

	/**
	 * Returns the contents of an app for `resources/read`. Any hash gets the current page. `undefined` for other URIs, and
	 * for an app that cannot be read.
	 */
	read(uri: string): Complete | undefined {
		const name = /^ui:\/\/roundhouse\/(rows|chart|insert|update|delete)-[0-9a-f]{1,64}\.html$/.exec(uri)?.[1]
		const app = name && this.#app(name as AppName)
		if (!app) return undefined
		// An empty policy allows no address outside of the page.
		const _meta = { ui: { csp: {}, prefersBorder: false } }
		const contents = [{ uri, mimeType, text: app.html, _meta }]
		return complete({ contents }, { ttlMs: hourMs, cacheScope: 'private' })
	}

	/** A package manager can replace the files of a running host. Its tools then work without their apps. */
	#app(name: AppName): App | undefined {
		const known = this.#read.get(name)
		if (known) return known
		try {
			const html = readFileSync(join(this.#folder, `${name}.html`), 'utf8')
			const hash = createHash('sha256').update(html).digest('hex').slice(0, 12)
			const app = { uri: `ui://roundhouse/${name}-${hash}.html`, html }
			this.#read.set(name, app)
			return app
		} catch (error) {
			this.#onFault(error)
			return undefined
		}
	}
}
