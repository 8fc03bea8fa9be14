import { type ToolGroup, toolGroups } from '@roundhouse/kit/tool-groups'
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { messageOf } from './base/errors.ts'
import { hostVersion } from './base/version.ts'
import type { CommandContext, Launch } from './commands/context.ts'
import { fingerprint } from './commands/fingerprint.ts'
import { addRegistryCommands } from './commands/registry/program.ts'
import { levelNames } from './mcp/access/scopes.ts'

/**
 * The command line: nothing but parsing and calling commands/, which are loaded when they are called, so that the
 * stdio bridge starts without the rest of the host.
 */

const collect = (value: string, all: readonly string[] = []) => [...all, value]
const toGroup = (value: string) => {
	const group = toolGroups.find(group => group === value)
	if (!group) throw new InvalidArgumentError(`Groups are ${toolGroups.join(', ')}.`)
	return group
}
const collectGroup = (value: string, all: readonly ToolGroup[] = []) => [...all, toGroup(value)]
const port = (value: string) => {
	const number = Number(value)
	if (!Number.isInteger(number) || number < 0 || number > 65535) throw new InvalidArgumentError('A port is 0 to 65535.')
	return number
}

/** Runs one command. @returns the exit code: 0, 1 where it failed or found something, 2 where it was called wrongly */
export async function main(argv: readonly string[], launch: Launch): Promise<number> {
	try {
		await program(launch).parseAsync(argv, { from: 'user' })
		return 0
	} catch (error) {
		// The parser has said what is wrong already, or printed the help.
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
		process.stderr.write(`roundhouse: ${messageOf(error)}\n`)
		return 1
	}
}

function program(launch: Launch): Command {
	const root = new Command('roundhouse')
		.description('A desktop database client whose drivers are plugins, for people and for AI clients.')
		.version(hostVersion)
		.option('--json', 'print JSON for programs')
		.showHelpAfterError()
		.exitOverride()
	const context = (command: Command): CommandContext => {
		const { json = false, registry, registryKey } = command.optsWithGlobals()
		return { launch, json, registry: { url: registry, key: registryKey } }
	}
	const withRegistry = (command: Command) =>
		command
			.option('--registry <url>', 'another default plugin registry, for this run')
			.option('--registry-key <fingerprint>', "the fingerprint of that registry's first root (SHA-256)")
	const asJson = (command: Command) => command.option('--json', 'print JSON for programs')

	withRegistry(root.command('open', { isDefault: true }).description('open the window')).action(async (_, command) =>
		(await import('./commands/open.ts')).open(context(command)),
	)

	withRegistry(root.command('serve').description('run the host without opening a window'))
		.option('--mcp-port <n>', 'port for AI clients', port)
		.option('--ui-port <n>', 'port for the window', port)
		.option('--no-ui', 'serve no window; commands still reach the host')
		.addOption(
			new Option('--while-used <seconds>', 'end so long after the last use, once stdin is closed')
				.argParser(Number)
				.hideHelp(),
		)
		.action(async ({ mcpPort, uiPort, ui, whileUsed }, command) =>
			(await import('./commands/serve.ts')).serve(context(command), { mcpPort, uiPort, withUi: ui, whileUsed }),
		)

	const mcp = root.command('mcp').description('the stdio bridge for AI clients')
	mcp
		.addOption(
			new Option('--keep-host <seconds>', 'how long a host that it started outlives it, unused')
				.argParser(Number)
				.hideHelp(),
		)
		.action(async ({ keepHost }) => (await import('./commands/mcp.ts')).mcp(launch, keepHost))
	const setUp = (kind: 'install' | 'uninstall', description: string) =>
		asJson(mcp.command(`${kind} <client>`).description(description))
			.option('--yes', 'without asking', false)
			.action(async (client, { yes }, command) =>
				(await import('./commands/mcp-setup.ts')).setUpClient(context(command), client, kind, yes),
			)
	setUp(
		'install',
		'tell an AI client of Roundhouse; docs/ai-clients.md lists them, generic prints what any other needs',
	)
	setUp('uninstall', 'take that back')
	asJson(
		mcp
			.command('link <client>')
			.description('an address that adds it by itself: cursor, vscode, lm-studio, goose, kiro'),
	).action(async (client, _, command) => (await import('./commands/mcp-setup.ts')).linkClient(context(command), client))
	asJson(mcp.command('test').description('try the whole path that a client takes')).action(async (_, command) =>
		(await import('./commands/mcp-setup.ts')).testBridge(context(command)),
	)

	const token = root.command('token').description('tokens of AI clients')
	asJson(token.command('create').description('make a token; it is shown once'))
		.requiredOption('--name <name>', 'what the token is for')
		.addOption(
			new Option('--level <level>', 'what it may do; without it no more than its scopes')
				.choices([...levelNames, 'custom'])
				.default('custom', 'the scopes that are named'),
		)
		.option('--scope <scope>', 'a scope beyond the level (repeatable)', collect)
		.addOption(
			new Option(
				'--group <group>',
				'a group of tools it is shown (repeatable; core, write and custom by default)',
			).argParser(collectGroup),
		)
		.option('--connection <id>', 'a connection it may use (repeatable; all by default)', collect)
		.option('--expires <when>', '30d, 12h, 90s or never', '30d')
		.action(async ({ name, level, scope, group, connection, expires }, command) =>
			(await import('./commands/token.ts')).createToken(context(command), {
				name,
				level,
				scopes: scope,
				groups: group,
				connections: connection,
				expires,
			}),
		)
	asJson(token.command('list').description('list tokens')).action(async (_, command) =>
		(await import('./commands/token.ts')).listTokens(context(command)),
	)
	asJson(
		token.command('tools <id>').description('what a client with a token sees, and what that costs a model'),
	).action(async (id, _, command) => (await import('./commands/token.ts')).listTools(context(command), id))
	asJson(
		token
			.command('groups')
			.description('show a token these groups of tools and no others; without groups: which it is shown')
			.argument('<id>', 'the token; bridge for clients without one')
			.addArgument(new Argument('[groups...]', toolGroups.join(', ')).argParser(collectGroup)),
	).action(async (id: string, groups: readonly ToolGroup[], _, command) => {
		const commands = await import('./commands/token.ts')
		const isAsked = groups.length === 0
		await (isAsked ? commands.listTools(context(command), id) : commands.setGroups(context(command), id, groups))
	})
	asJson(token.command('revoke <id>').description('revoke a token')).action(async (id, _, command) =>
		(await import('./commands/token.ts')).revokeToken(context(command), id),
	)

	const pair = root.command('pair').description('programs that ask for a token of their own')
	const pairs = () => import('./commands/pair.ts')
	asJson(pair.command('link <url>').description('take a roundhouse://pair link to the host')).action(
		async (url, _, command) => (await pairs()).pairLink(context(command), url),
	)
	asJson(pair.command('list').description('who asks')).action(async (_, command) =>
		(await pairs()).listPairings(context(command)),
	)
	asJson(pair.command('approve <id>').description('say yes'))
		.addOption(new Option('--level <level>', 'what it may do').choices(levelNames).default('read-only'))
		.option('--connection <id>', 'a connection it may use (repeatable; all by default)', collect)
		.option('--expires <when>', '30d, 12h, 90s or never', '30d')
		.action(async (id, { level, connection, expires }, command) =>
			(await pairs()).approvePairing(context(command), id, { level, connections: connection, expires }),
		)
	asJson(pair.command('refuse <id>').description('say no')).action(async (id, _, command) =>
		(await pairs()).refusePairing(context(command), id),
	)
	asJson(pair.command('exchange').description("the program's side: code and verifier on stdin, for the token")).action(
		async (_, command) => (await pairs()).exchangePairing(context(command)),
	)

	const connection = root.command('connection').description('saved connections')
	const withSettings = (command: Command) =>
		asJson(command)
			.option('--set <key=value>', "a value of the driver's form (repeatable)", collect, [])
			.option('--secrets-stdin', 'read secret values as one JSON object from stdin', false)
			.option('--sample', "use the driver's own sample", false)
			.addOption(
				new Option('--external-access <level>', 'what AI clients may do').choices([
					'blocked',
					'read-only',
					'read-write',
				]),
			)
			.addOption(new Option('--ai-policy <policy>', 'whether AI clients may use it').choices(['allow', 'ask', 'never']))
			.addOption(
				new Option('--safe-mode <mode>', 'what persons may write in the window').choices(['free', 'ask', 'read-only']),
			)
			.option('--production', 'mark it as production: writes are asked for unless --safe-mode says otherwise')
			.option('--no-production', 'take that mark away')
	withSettings(connection.command('add').description('save a connection'))
		.requiredOption('--driver <id>', 'the driver, for example search-engine')
		.requiredOption('--name <name>', 'what you call it')
		.action(async ({ driver, name, ...flags }, command) =>
			(await import('./commands/connection.ts')).addConnection(context(command), driver, name, flags),
		)
	withSettings(connection.command('set <id>').description('change a connection'))
		.option('--name <name>', 'what you call it')
		.action(async (id, { name, ...flags }, command) =>
			(await import('./commands/connection.ts')).setConnection(context(command), id, name, flags),
		)
	asJson(connection.command('list').description('list connections')).action(async (_, command) =>
		(await import('./commands/connection.ts')).listConnections(context(command)),
	)
	asJson(connection.command('export [ids...]').description('print connections as JSON, without secrets')).action(
		async (ids, _, command) => (await import('./commands/connection.ts')).exportConnections(context(command), ids),
	)
	asJson(connection.command('import <file>').description('add the connections that `export` printed')).action(
		async (file, _, command) => (await import('./commands/connection.ts')).importConnections(context(command), file),
	)
	asJson(connection.command('remove <id>').description('remove a connection and its secrets')).action(
		async (id, _, command) => (await import('./commands/connection.ts')).removeConnection(context(command), id),
	)
	asJson(connection.command('test <id>').description('try a connection')).action(async (id, _, command) =>
		(await import('./commands/connection.ts')).testConnection(context(command), id),
	)

	const activity = asJson(root.command('activity').description('what AI clients did'))
	activity
		.option('--follow', 'go on until stopped', false)
		.action(async ({ follow }, command) =>
			(await import('./commands/activity.ts')).showActivity(context(command), follow),
		)
	asJson(activity.command('verify').description("follow the log's hash chain")).action(async (_, command) =>
		(await import('./commands/activity.ts')).verifyActivityLog(context(command)),
	)

	const plugin = root.command('plugin').description('drivers')
	const plugins = () => import('./commands/plugin.ts')
	const pluginCommand = (name: string, description: string) =>
		withRegistry(asJson(plugin.command(name).description(description)))
	pluginCommand('browse', 'what the registries offer').action(async (_, command) =>
		(await plugins()).browsePlugins(context(command), false),
	)
	pluginCommand('list', 'what is installed').action(async (_, command) =>
		(await plugins()).browsePlugins(context(command), true),
	)
	pluginCommand('install [id]', 'install a driver: ID, ID@RANGE or PUBLISHER/ID')
		.option('--from <file>', 'from a bundle, for a machine without a network; all of it where no ID is named')
		.option('--fingerprint <sha256>', "trust the bundle's registry, which begins so", fingerprint)
		.option('--accept-expired', 'take a bundle whose timestamp has ended', false)
		.action(async (id, options, command: Command) => {
			if (options.from) await (await plugins()).installBundle(context(command), options, id)
			else if (id) await (await plugins()).installPlugin(context(command), id)
			else command.error('error: name a driver, or a bundle with --from')
		})
	pluginCommand('update [id]', 'install newer releases').action(async (id, _, command) =>
		(await plugins()).updatePlugins(context(command), id),
	)
	pluginCommand('remove <id>', 'remove a driver')
		.option('--forget-registry', 'and which registry it belongs to', false)
		.action(async (id, { forgetRegistry }, command) =>
			(await plugins()).removePlugin(context(command), id, forgetRegistry),
		)
	pluginCommand('enable <id>', 'switch a driver on').action(async (id, _, command) =>
		(await plugins()).setPluginEnabled(context(command), id, true),
	)
	pluginCommand('disable <id>', 'switch a driver off').action(async (id, _, command) =>
		(await plugins()).setPluginEnabled(context(command), id, false),
	)
	pluginCommand('lock', 'print which releases are installed, for `plugin sync` elsewhere').action(async (_, command) =>
		(await plugins()).lockPlugins(context(command)),
	)
	pluginCommand('sync [file]', 'install what a lock file names').action(async (file, _, command) =>
		(await plugins()).syncPlugins(context(command), file),
	)
	pluginCommand('verify', 'compare installed drivers with what was signed').action(async (_, command) =>
		(await plugins()).verifyPlugins(context(command)),
	)

	const registries = plugin.command('registries').description('which registries are trusted')
	const registryList = () => import('./commands/plugin-registries.ts')
	const registriesCommand = (name: string, description: string, options = {}) =>
		withRegistry(asJson(registries.command(name, options).description(description)))
	registriesCommand('list', 'how each of them is', { isDefault: true }).action(async (_, command) =>
		(await registryList()).listRegistries(context(command)),
	)
	registriesCommand('add <url>', 'trust another one')
		.option('--fingerprint <sha256>', 'what its publisher told, instead of a question', fingerprint)
		.action(async (url, options, command) =>
			(await registryList()).addRegistry(context(command), url, options.fingerprint),
		)
	registriesCommand('remove <name>', 'trust one no more; NAME is its address or its fingerprint')
		.option('--yes', 'without asking', false)
		.action(async (name, { yes }, command) => (await registryList()).removeRegistry(context(command), name, yes))

	addRegistryCommands(root, context)

	withRegistry(root.command('sample').description('run the sample cluster until stopped'))
		.option('--driver <id>', 'whose sample', 'search-engine')
		.action(async ({ driver }, command) => (await import('./commands/sample.ts')).sample(context(command), driver))

	withRegistry(asJson(root.command('doctor').description('check everything a support request would ask'))).action(
		async (_, command) => (await import('./commands/doctor.ts')).doctor(context(command)),
	)
	return root
}
