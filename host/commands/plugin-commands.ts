import type { Command } from 'commander'
import { fingerprint } from './fingerprint.ts'
import { asJson, type ContextOf, withRegistry } from './options.ts'

/** Arguments of `roundhouse plugin …`. */

export function addPluginCommands(root: Command, context: ContextOf): void {
	const plugin = root.command('plugin').description('drivers')
	const plugins = () => import('./plugin.ts')
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
		.option('--accept', 'allow what an update may do beyond the installed release', false)
		.action(async (id, options, command: Command) => {
			if (options.from) await (await plugins()).installBundle(context(command), options, id)
			else if (id) await (await plugins()).installPlugin(context(command), id, options.accept)
			else command.error('error: name a driver, or a bundle with --from')
		})
	pluginCommand('update [id]', 'install newer releases')
		.option('--accept', 'allow what an update may do beyond the installed release', false)
		.action(async (id, { accept }, command) => (await plugins()).updatePlugins(context(command), id, accept))
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
	addTrustedRegistryCommands(plugin, context)
}

function addTrustedRegistryCommands(plugin: Command, context: ContextOf): void {
	const registries = plugin.command('registries').description('which registries are trusted')
	const registryList = () => import('./plugin-registries.ts')
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
}
