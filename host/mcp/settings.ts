import { z } from 'zod'
import { fileSetting, newInstallOf, type ValuesOf, windowSetting } from '../../base/setting.ts'

const defaultPort = 23517

/** Settings of the endpoint, one per row (base/setting.ts). */
export const mcpSettings = {
	/** `false`: every request is refused with -33006. */
	enabled: windowSetting({ schema: z.boolean(), default: true, narrowsAccess: value => !value }),
	/** `false`: a request without a token is an anonymous caller that can only read. */
	authentication: windowSetting({ schema: z.boolean(), default: true, narrowsAccess: value => value }),
	/** Also asks in the window after a client collected consent. */
	alsoAskInWindow: windowSetting({ schema: z.boolean(), default: false, narrowsAccess: value => value }),
	/**
	 * Stores the redacted text of statements in the activity log. On by default only for a new installation: an older
	 * `settings.json` lacks the setting, and its users were promised that only digests are stored.
	 */
	keepStatements: windowSetting({ schema: z.boolean(), default: false, newInstall: true }),
	/**
	 * Keeps what changes of AI clients replace for 30 days, encrypted, so that they can be undone. Switching it off removes
	 * what is kept.
	 */
	keepReplaced: windowSetting({ schema: z.boolean(), default: true }),
	/** Web origins that may call the endpoint. Other origins are refused. */
	allowedOrigins: fileSetting<readonly string[]>({
		schema: z.array(z.string()).readonly(),
		default: ['https://claude.ai', 'https://app.cursor.com'],
	}),
	/** If the port is busy, the kernel picks another one. */
	port: fileSetting({ schema: z.int().min(0).max(65535), default: defaultPort }),
	ratePerMinute: fileSetting({ schema: z.int().positive(), default: 240 }),
	concurrentPerToken: fileSetting({ schema: z.int().positive(), default: 8 }),
	/** Expensive operations are refused on tables with this many rows or more; 0 for no limit. */
	costLimitRows: fileSetting({ schema: z.int().nonnegative(), default: 1_000_000 }),
}

export type McpSettings = Omit<ValuesOf<typeof mcpSettings>, 'port'>

export const defaultSettings: McpSettings = newInstallOf(mcpSettings)
