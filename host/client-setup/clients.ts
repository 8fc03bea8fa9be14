import { homedir } from 'node:os'
import { join } from 'node:path'

/** The AI clients whose configuration we can write: where it lies, and what an entry looks like there. */
export interface AiClient {
	readonly id: string
	readonly name: string
	/** Absolute path of its configuration file, JSON with or without comments. */
	readonly path: string
	/** Where in the file our entry goes. */
	readonly place: readonly string[]
	entry(bridge: Bridge): Readonly<Record<string, unknown>>
}

/** How a client starts the stdio bridge. */
export interface Bridge {
	readonly command: string
	readonly args: readonly string[]
	readonly env: Readonly<Record<string, string>>
}

const serverName = 'roundhouse'
const withEnv = ({ env }: Bridge) => (Object.keys(env).length > 0 ? { env } : {})
const plain = (bridge: Bridge) => ({ command: bridge.command, args: bridge.args, ...withEnv(bridge) })
const typed = (bridge: Bridge) => ({ type: 'stdio', ...plain(bridge) })

/** The clients of this machine; `home` and `platform` are given by tests. */
export function aiClients(home = homedir(), platform: NodeJS.Platform = process.platform): readonly AiClient[] {
	const appData = process.env.APPDATA ?? join(home, 'AppData', 'Roaming')
	/** A program's folder of settings, by the custom of the system. */
	const settings = (name: string) => {
		if (platform === 'darwin') return join(home, 'Library', 'Application Support', name)
		return platform === 'win32' ? join(appData, name) : join(home, '.config', name)
	}
	const zed = platform === 'win32' ? join(appData, 'Zed') : join(home, '.config', 'zed')
	return [
		{
			id: 'claude-desktop',
			name: 'Claude Desktop',
			path: join(settings('Claude'), 'claude_desktop_config.json'),
			place: ['mcpServers', serverName],
			entry: plain,
		},
		{
			id: 'claude-code',
			name: 'Claude Code',
			path: join(home, '.claude.json'),
			place: ['mcpServers', serverName],
			entry: typed,
		},
		{
			id: 'cursor',
			name: 'Cursor',
			path: join(home, '.cursor', 'mcp.json'),
			place: ['mcpServers', serverName],
			entry: plain,
		},
		{
			id: 'vscode',
			name: 'VS Code',
			path: join(settings('Code'), 'User', 'mcp.json'),
			place: ['servers', serverName],
			entry: typed,
		},
		{
			id: 'windsurf',
			name: 'Windsurf',
			path: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
			place: ['mcpServers', serverName],
			entry: plain,
		},
		{
			id: 'zed',
			name: 'Zed',
			path: join(zed, 'settings.json'),
			place: ['context_servers', serverName],
			entry: bridge => ({ source: 'custom', ...plain(bridge), env: bridge.env }),
		},
	]
}

/** What any other client needs to be told. */
export function genericSnippet(bridge: Bridge): string {
	return JSON.stringify({ mcpServers: { [serverName]: plain(bridge) } }, null, 2)
}
