import { type Command, Option } from 'commander'
import { asJson, type ContextOf, collect } from './options.ts'

/** Arguments of `roundhouse connection …` and `roundhouse project …`. */

export function addConnectionCommands(root: Command, context: ContextOf): void {
	const project = root.command('project').description('folders whose roundhouse.json a team shares')
	asJson(project.command('open <folder>').description('show what its roundhouse.json has, and open it if you agree'))
		.option('--yes', 'without asking', false)
		.action(async (folder, { yes }, command) =>
			(await import('./project.ts')).openProject(context(command), folder, { isAgreed: yes }),
		)
	asJson(
		project
			.command('save <folder> <connections...>')
			.description('write connections, by their ids or names, into its roundhouse.json: without secrets'),
	)
		.option('--statements <folder>', 'the folder of its statements, within the project')
		.action(async (folder, connections, { statements }, command) =>
			(await import('./project.ts')).saveProject(context(command), folder, { connections, statements }),
		)
	const connection = root.command('connection').description('saved connections')
	const withSettings = (command: Command) =>
		asJson(command)
			.option('--set <key=value>', "a value of the driver's form (repeatable)", collect, [])
			.option('--secrets-stdin', 'read secret values as one JSON object from stdin', false)
			.option(
				'--secret-from <key=source>',
				'read a secret at each use: from command:PROGRAM ARGUMENTS, variable:NAME or file:FORMAT; stored takes that away (repeatable)',
				collect,
				[],
			)
			.option('--sample', "use the driver's own sample", false)
			.option('--ssh <server>', 'lead it through SSH: a name of ~/.ssh/config, user@host or user@host:port')
			.option('--ssh-key <file>', 'the private key for it; an empty text: as ssh finds it')
			.option('--ssh-jump <hosts>', 'the hosts on the way, the first one first, with commas; an empty text: none')
			.option('--no-ssh', 'take its SSH tunnel away')
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
		.requiredOption('--driver <id>', 'the id of the driver, as `roundhouse plugin list` prints it')
		.requiredOption('--name <name>', 'what you call it')
		.action(async ({ driver, name, ...flags }, command) =>
			(await import('./connection.ts')).addConnection(context(command), { driverId: driver, name, flags }),
		)
	withSettings(connection.command('set <id>').description('change a connection'))
		.option('--name <name>', 'what you call it')
		.action(async (id, { name, ...flags }, command) =>
			(await import('./connection.ts')).setConnection(context(command), { id, name, flags }),
		)
	asJson(connection.command('list').description('list connections')).action(async (_, command) =>
		(await import('./connection.ts')).listConnections(context(command)),
	)
	asJson(connection.command('export [ids...]').description('print connections as JSON, without secrets')).action(
		async (ids, _, command) => (await import('./connection.ts')).exportConnections(context(command), ids),
	)
	asJson(
		connection
			.command('import <file>')
			.description('add connections of a file that `export` printed, or that another program wrote'),
	)
		.option('--yes', 'without asking', false)
		.option('--with-passwords', 'store the passwords that the file has in clear', false)
		.action(async (file, { yes, withPasswords }, command) =>
			(await import('./connection.ts')).importConnections(context(command), file, {
				isAgreed: yes,
				takesSecrets: withPasswords,
			}),
		)
	const named = '<connection> <table> <columns...>'
	asJson(
		connection
			.command(`hide ${named}`)
			.description('hide columns from AI clients: their values are not sent to them')
			.option(
				'--may-count',
				'statements of AI clients may count and join the columns: they get a token for each value',
			),
	).action(async (id, table, columns, { mayCount = false }, command) =>
		(await import('./connection.ts')).hideColumns(context(command), {
			connection: id,
			table,
			hide: columns,
			show: [],
			mayCount,
		}),
	)
	asJson(connection.command(`unhide ${named}`).description('show hidden columns to AI clients again')).action(
		async (id, table, columns, _, command) =>
			(await import('./connection.ts')).hideColumns(context(command), {
				connection: id,
				table,
				hide: [],
				show: columns,
			}),
	)
	asJson(
		connection.command('hidden <connection>').description('list the columns that are hidden from AI clients'),
	).action(async (named, _, command) => (await import('./connection.ts')).listHidden(context(command), named))
	connection
		.command('login <connection>')
		.description('print what makes a login for AI clients that may not read the hidden columns, for you to run')
		.action(async (named, _, command) => (await import('./connection.ts')).printLogin(context(command), named))
	asJson(connection.command('remove <id>').description('remove a connection and its secrets')).action(
		async (id, _, command) => (await import('./connection.ts')).removeConnection(context(command), id),
	)
	asJson(connection.command('test <connection>').description('try a connection, by its id or name')).action(
		async (named, _, command) => (await import('./connection.ts')).testConnection(context(command), named),
	)
}
