import { Command, CommanderError, Option } from 'commander'
import { messageOf } from '../../base/errors.ts'
import { hostVersion } from '../../base/version.ts'
import { addActivityCommands, addClientCommands } from './client-commands.ts'
import { addConnectionCommands } from './connection-commands.ts'
import type { CommandContext, Launch } from './context.ts'
import { addDriverCommands } from './driver/program.ts'
import { asJson, port, viewLink, withRegistry } from './options.ts'
import { addPluginCommands } from './plugin-commands.ts'
import { addRegistryCommands } from './registry/program.ts'

/**
 * The command line: parses arguments and calls commands, which are loaded on demand so that the stdio bridge starts
 * without the rest of the host.
 */

/** Runs one command. @returns the exit code: 0, 1 for a failure or a finding, 2 for wrong arguments */
export async function main(argv: readonly string[], launch: Launch): Promise<number> {
	try {
		// The parser ends at `--version` alone.
		if (argv.includes('--version') && argv.includes('--check'))
			await (await import('./version.ts')).checkVersion({ launch, json: argv.includes('--json') })
		else await program(launch).parseAsync(argv, { from: 'user' })
		return 0
	} catch (error) {
		// The parser has printed the error or the help.
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
		process.stderr.write(`roundhouse: ${messageOf(error)}\n`)
		return 1
	}
}

function program(launch: Launch): Command {
	const root = new Command('roundhouse')
		.description('A desktop database client whose drivers are plugins, for people and for AI clients.')
		.version(hostVersion, '-V, --version', 'print the version; with --check also whether there is a newer one')
		.option('--json', 'print JSON for programs')
		.showHelpAfterError()
		.exitOverride()
	const context = (command: Command): CommandContext => {
		const { json = false, registry, registryKey } = command.optsWithGlobals()
		return { launch, json, registry: { url: registry, key: registryKey } }
	}
	withRegistry(root.command('open', { isDefault: true }).description('open the window'))
		.argument('[link]', 'a link to a saved view, which the window asks about', viewLink)
		.action(async (link, _, command) => (await import('./open.ts')).open(context(command), link))

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
			(await import('./serve.ts')).serve(context(command), { mcpPort, uiPort, withUi: ui, whileUsed }),
		)

	asJson(root.command('stop').description('stop the running host when its work is done')).action(async (_, command) =>
		(await import('./stop.ts')).stop(context(command)),
	)

	addClientCommands(root, context, launch)
	addConnectionCommands(root, context)
	addActivityCommands(root, context)
	addPluginCommands(root, context)
	addDriverCommands(root, context)
	addRegistryCommands(root, context)

	withRegistry(root.command('sample').description('run the sample data source of a driver until stopped'))
		.option('--driver <id>', 'whose sample; not needed if only one driver has one')
		.action(async ({ driver }, command) => (await import('./sample.ts')).sample(context(command), driver))

	withRegistry(asJson(root.command('doctor').description('check everything that support would ask')))
		.option('--bundle <file>', 'write an archive for support, and say what is in it')
		.action(async ({ bundle }, command) => (await import('./doctor/doctor.ts')).doctor(context(command), bundle))
	return root
}
