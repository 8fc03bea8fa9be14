import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { ConfigFormat, ConfigPath } from './config-format.ts'
import { jsonConfig } from './json-config.ts'
import { tomlConfig } from './toml-config.ts'
import { yamlConfig } from './yaml-config.ts'

/** An AI client whose configuration Roundhouse can write. */
export interface AiClient {
	readonly id: string
	readonly name: string
	/** Absolute path of its configuration file. */
	readonly path: string
	readonly format: ConfigFormat
	/** Path of Roundhouse's entry within the file. */
	readonly entryPath: ConfigPath
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
/** Returns the entry that most clients use: the command, its arguments, and the variables if there are any. */
export const plain = (bridge: Bridge) => ({ command: bridge.command, args: bridge.args, ...withEnv(bridge) })
const typed = (bridge: Bridge) => ({ type: 'stdio', ...plain(bridge) })

type StandardClient = Pick<AiClient, 'id' | 'name' | 'path'> & Partial<Pick<AiClient, 'entry'>>

/** The parts of a system that decide where clients store their files. */
export interface Environment {
	readonly home: string
	readonly platform: NodeJS.Platform
	readonly env: Readonly<Record<string, string | undefined>>
}

/** Returns the supported clients of this machine. Tests pass a different environment. */
export function aiClients(at: Environment = { home: homedir(), platform: process.platform, env: process.env }) {
	const { home, platform } = at
	/** Returns the folder or file in a variable, if it is an absolute path; else the default. */
	const placeIn = (variable: string, otherwise: string) => {
		const named = at.env[variable]
		return named !== undefined && isAbsolute(named) ? named : otherwise
	}
	const appData = placeIn('APPDATA', join(home, 'AppData', 'Roaming'))
	const xdg = placeIn('XDG_CONFIG_HOME', join(home, '.config'))
	/** Returns the settings folder of a program by the convention of the system. */
	const settings = (name: string) => {
		if (platform === 'darwin') return join(home, 'Library', 'Application Support', name)
		return join(platform === 'win32' ? appData : xdg, name)
	}
	const vsCode = join(settings('Code'), 'User')
	const goose = platform === 'win32' ? join(appData, 'Block', 'goose', 'config') : join(xdg, 'goose')
	/** Returns a client with a JSON file and `mcpServers`, like most clients. */
	const standard = (client: StandardClient): AiClient => ({
		entry: plain,
		...client,
		format: jsonConfig,
		entryPath: ['mcpServers', serverName],
	})
	const clients: readonly AiClient[] = [
		standard({
			id: 'claude-desktop',
			name: 'Claude Desktop',
			path: join(settings('Claude'), 'claude_desktop_config.json'),
		}),
		standard({
			id: 'claude-code',
			name: 'Claude Code',
			path: join(placeIn('CLAUDE_CONFIG_DIR', home), '.claude.json'),
			entry: typed,
		}),
		standard({ id: 'cursor', name: 'Cursor', path: join(home, '.cursor', 'mcp.json') }),
		{
			...standard({ id: 'vscode', name: 'VS Code', path: join(vsCode, 'mcp.json'), entry: typed }),
			entryPath: ['servers', serverName],
		},
		standard({ id: 'windsurf', name: 'Windsurf', path: join(home, '.codeium', 'windsurf', 'mcp_config.json') }),
		{
			...standard({
				id: 'zed',
				name: 'Zed',
				path: join(platform === 'win32' ? join(appData, 'Zed') : join(xdg, 'zed'), 'settings.json'),
			}),
			entryPath: ['context_servers', serverName],
			entry: bridge => ({ source: 'custom', ...plain(bridge), env: bridge.env }),
		},
		{
			id: 'codex',
			name: 'Codex',
			path: join(placeIn('CODEX_HOME', join(home, '.codex')), 'config.toml'),
			format: tomlConfig,
			entryPath: ['mcp_servers', serverName],
			entry: plain,
		},
		standard({ id: 'gemini-cli', name: 'Gemini CLI', path: join(home, '.gemini', 'settings.json') }),
		standard({
			id: 'copilot-cli',
			name: 'GitHub Copilot CLI',
			path: join(placeIn('COPILOT_HOME', join(home, '.copilot')), 'mcp-config.json'),
			entry: bridge => ({ type: 'local', ...plain(bridge), tools: ['*'] }),
		}),
		standard({ id: 'junie', name: 'JetBrains Junie', path: join(home, '.junie', 'mcp', 'mcp.json') }),
		{
			...standard({ id: 'opencode', name: 'OpenCode', path: join(xdg, 'opencode', 'opencode.json') }),
			entryPath: ['mcp', serverName],
			entry: ({ command, args, env }) => ({
				type: 'local',
				command: [command, ...args],
				enabled: true,
				...(Object.keys(env).length > 0 && { environment: env }),
			}),
		},
		standard({
			id: 'cline',
			name: 'Cline',
			path: join(vsCode, 'globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'),
		}),
		// cline/cline: `sdk/packages/shared/src/storage/paths.ts`, `resolveMcpSettingsPath`.
		standard({
			id: 'cline-cli',
			name: 'Cline CLI',
			path: placeIn(
				'CLINE_MCP_SETTINGS_PATH',
				join(
					placeIn('CLINE_DATA_DIR', join(placeIn('CLINE_DIR', join(home, '.cline')), 'data')),
					'settings',
					'cline_mcp_settings.json',
				),
			),
			entry: typed,
		}),
		// A separate file for each server, in the format of other clients.
		standard({ id: 'continue', name: 'Continue', path: join(home, '.continue', 'mcpServers', `${serverName}.json`) }),
		{
			id: 'goose',
			name: 'Goose',
			path: join(goose, 'config.yaml'),
			format: yamlConfig,
			entryPath: ['extensions', serverName],
			entry: ({ command, args, env }) => ({
				enabled: true,
				type: 'stdio',
				name: serverName,
				description: serverDescription,
				cmd: command,
				args,
				envs: env,
				timeout: 300,
			}),
		},
		standard({ id: 'lm-studio', name: 'LM Studio', path: join(home, '.lmstudio', 'mcp.json') }),
		standard({ id: 'kiro', name: 'Kiro', path: join(home, '.kiro', 'settings', 'mcp.json') }),
	]
	return clients
}

/** Returns a configuration snippet for other clients. */
export function genericSnippet(bridge: Bridge): string {
	return JSON.stringify({ mcpServers: { [serverName]: plain(bridge) } }, null, 2)
}
