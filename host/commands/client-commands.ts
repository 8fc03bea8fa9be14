import { type ToolGroup, toolGroups } from '@roundhouse/kit/tool-groups'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { levelNames } from '../mcp/access/scopes.ts'
import type { Launch } from './context.ts'
import { asJson, type ContextOf, collect } from './options.ts'

/** Arguments of the commands for AI clients: the bridge, tokens, pairings and the activity log. */

export function addClientCommands(root: Command, context: ContextOf, launch: Launch): void {
	addBridgeCommands(root, context, launch)
	addTokenCommands(root, context)
	addPairingCommands(root, context)
}

export function addActivityCommands(root: Command, context: ContextOf): void {
	const activity = asJson(root.command('activity').description('what AI clients did'))
	activity
		.option('--follow', 'go on until stopped', false)
		.action(async ({ follow }, command) => (await import('./activity.ts')).showActivity(context(command), follow))
	asJson(activity.command('verify').description("follow the log's hash chain")).action(async (_, command) =>
		(await import('./activity.ts')).verifyActivityLog(context(command)),
	)
}

function addBridgeCommands(root: Command, context: ContextOf, launch: Launch): void {
	const mcp = root.command('mcp').description('the stdio bridge for AI clients')
	mcp
		.addOption(
			new Option('--keep-host <seconds>', 'how long a host that it started outlives it, unused')
				.argParser(Number)
				.hideHelp(),
		)
		.action(async ({ keepHost }) => (await import('./mcp.ts')).mcp(launch, keepHost))
	const setUp = (kind: 'install' | 'uninstall', description: string) =>
		asJson(mcp.command(`${kind} <client>`).description(description))
			.option('--yes', 'without asking', false)
			.action(async (client, { yes }, command) =>
				(await import('./mcp-setup.ts')).setUpClient(context(command), { id: client, kind, isAgreed: yes }),
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
	).action(async (client, _, command) => (await import('./mcp-setup.ts')).linkClient(context(command), client))
	asJson(mcp.command('test').description('try the whole path that a client takes')).action(async (_, command) =>
		(await import('./mcp-setup.ts')).testBridge(context(command)),
	)
}

const toGroup = (value: string) => {
	const group = toolGroups.find(group => group === value)
	if (!group) throw new InvalidArgumentError(`Groups are ${toolGroups.join(', ')}.`)
	return group
}
const collectGroup = (value: string, all: readonly ToolGroup[] = []) => [...all, toGroup(value)]

function addTokenCommands(root: Command, context: ContextOf): void {
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
			(await import('./token.ts')).createToken(context(command), {
				name,
				level,
				scopes: scope,
				groups: group,
				connections: connection,
				expires,
			}),
		)
	asJson(token.command('list').description('list tokens')).action(async (_, command) =>
		(await import('./token.ts')).listTokens(context(command)),
	)
	asJson(
		token.command('tools <id>').description('what a client with a token sees, and what that costs a model'),
	).action(async (id, _, command) => (await import('./token.ts')).listTools(context(command), id))
	asJson(
		token
			.command('groups')
			.description('show a token these groups of tools and no others; without groups: which it is shown')
			.argument('<id>', 'the token; bridge for clients without one')
			.addArgument(new Argument('[groups...]', toolGroups.join(', ')).argParser(collectGroup)),
	).action(async (id: string, groups: readonly ToolGroup[], _, command) => {
		const commands = await import('./token.ts')
		const isAsked = groups.length === 0
		await (isAsked ? commands.listTools(context(command), id) : commands.setGroups(context(command), id, groups))
	})
	asJson(token.command('revoke <id>').description('revoke a token')).action(async (id, _, command) =>
		(await import('./token.ts')).revokeToken(context(command), id),
	)
}

function addPairingCommands(root: Command, context: ContextOf): void {
	const pair = root.command('pair').description('programs that ask for a token')
	const pairs = () => import('./pair.ts')
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
}
