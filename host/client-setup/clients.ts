import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { ConfigForm, Place } from './config-form.ts'
import { jsonConfig } from './json-config.ts'
import { tomlConfig } from './toml-config.ts'
import { yamlConfig } from './yaml-config.ts'

/** The AI clients whose configuration we can write: where it lies, and what an entry looks like there. */
export interface AiClient {
	readonly id: string
	readonly name: string
	/** Absolute path of its configuration file. */
	readonly path: string
	readonly form: ConfigForm
	/** Where in the file our entry goes. */
	readonly place: Place
	entry(bridge: Bridge): Readonly<Record<string, unknown>>
}

/** How a client starts the stdio bridge. */
export interface Bridge {
	readonly command: string
	readonly args: readonly string[]
	readonly env: Readonly<Record<string, string>>
}

export const serverName = 'roundhouse'
export const serverDescription = 'Databases, through Roundhouse'
const withEnv = ({ env }: Bridge) => (Object.keys(env).length > 0 ? { env } : {})
/** What most clients are told: how the bridge is started, and no variables where there are none. */
export const plain = (bridge: Bridge) => ({ command: bridge.command, args: bridge.args, ...withEnv(bridge) })
const typed = (bridge: Bridge) => ({ type: 'stdio', ...plain(bridge) })

/** Where the clients of a machine look for their files. */
export interface Surroundings {
	readonly home: string
	readonly platform: NodeJS.Platform
	readonly env: Readonly<Record<string, string | undefined>>
}

/** The clients of this machine; tests bring surroundings of their own. */
export function aiClients(at: Surroundings = { home: homedir(), platform: process.platform, env: process.env }) {
	const { home, platform } = at
	/** A folder that a variable names, where it names one. */
	const folder = (variable: string, otherwise: string) => {
		const named = at.env[variable]
		return named !== undefined && isAbsolute(named) ? named : otherwise
	}
	const appData = folder('APPDATA', join(home, 'AppData', 'Roaming'))
	const xdg = folder('XDG_CONFIG_HOME', join(home, '.config'))
	/** A program's folder of settings, by the custom of the system. */
	const settings = (name: string) => {
		if (platform === 'darwin') return join(home, 'Library', 'Application Support', name)
		return join(platform === 'win32' ? appData : xdg, name)
	}
	const vsCode = join(settings('Code'), 'User')
	const goose = platform === 'win32' ? join(appData, 'Block', 'goose', 'config') : join(xdg, 'goose')
	/** One whose file is JSON with `mcpServers`, as most are. */
	const usual = (id: string, name: string, path: string, entry: AiClient['entry'] = plain): AiClient => ({
		...{ id, name, path, entry },
		form: jsonConfig,
		place: ['mcpServers', serverName],
	})
	const clients: readonly AiClient[] = [
		usual('claude-desktop', 'Claude Desktop', join(settings('Claude'), 'claude_desktop_config.json')),
		usual('claude-code', 'Claude Code', join(folder('CLAUDE_CONFIG_DIR', home), '.claude.json'), typed),
		usual('cursor', 'Cursor', join(home, '.cursor', 'mcp.json')),
		{
			...usual('vscode', 'VS Code', join(vsCode, 'mcp.json'), typed),
			place: ['servers', serverName],
		},
		usual('windsurf', 'Windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')),
		{
			...usual('zed', 'Zed', join(platform === 'win32' ? join(appData, 'Zed') : join(xdg, 'zed'), 'settings.json')),
			place: ['context_servers', serverName],
			entry: bridge => ({ source: 'custom', ...plain(bridge), env: bridge.env }),
		},
		{
			id: 'codex',
			name: 'Codex',
			path: join(folder('CODEX_HOME', join(home, '.codex')), 'config.toml'),
			form: tomlConfig,
			place: ['mcp_servers', serverName],
			entry: plain,
		},
		usual('gemini-cli', 'Gemini CLI', join(home, '.gemini', 'settings.json')),
		usual(
			'copilot-cli',
			'GitHub Copilot CLI',
			join(folder('COPILOT_HOME', join(home, '.copilot')), 'mcp-config.json'),
			bridge => ({ type: 'local', ...plain(bridge), tools: ['*'] }),
		),
		usual('junie', 'JetBrains Junie', join(home, '.junie', 'mcp', 'mcp.json')),
		{
			...usual('opencode', 'OpenCode', join(xdg, 'opencode', 'opencode.json')),
			place: ['mcp', serverName],
			entry: ({ command, args, env }) => ({
				type: 'local',
				command: [command, ...args],
				enabled: true,
				...(Object.keys(env).length > 0 && { environment: env }),
			}),
		},
		usual(
			'cline',
			'Cline',
			join(vsCode, 'globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'),
		),
		// A file of its own beside others, in the form that other clients have.
		usual('continue', 'Continue', join(home, '.continue', 'mcpServers', `${serverName}.json`)),
		{
			id: 'goose',
			name: 'Goose',
			path: join(goose, 'config.yaml'),
			form: yamlConfig,
			place: ['extensions', serverName],
			entry: ({ command, args, env }) => ({
				...{ enabled: true, type: 'stdio', name: serverName, description: serverDescription },
				...{ cmd: command, args, envs: env, timeout: 300 },
			}),
		},
		usual('lm-studio', 'LM Studio', join(home, '.lmstudio', 'mcp.json')),
		usual('kiro', 'Kiro', join(home, '.kiro', 'settings', 'mcp.json')),
	]
	return clients
}

/** What any other client needs to be told. */
export function genericSnippet(bridge: Bridge): string {
	return JSON.stringify({ mcpServers: { [serverName]: plain(bridge) } }, null, 2)
}
