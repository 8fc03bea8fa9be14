import type { Command } from 'commander'
import { parseFingerprint } from './fingerprint.ts'
import { asJson, type ContextOf, withRegistry } from './options.ts'

/** Arguments of `roundhouse plugin …`. */

export function addPluginCommands(root: Command, context: ContextOf): void {
	const plugin = root.command('plugin').description('drivers')
	const plugins = () => import('./plugin.ts')
	const pluginCommand = (name: string, description: string) =>
		withRegistry(asJson(plugin.command(name).description(description)))
	pluginCommand('browse', 'list the drivers in the registries').action(async (_, command) =>
		(await plugins()).browsePlugins(context(command), false),
	)
	pluginCommand('list', 'list the installed drivers').action(async (_, command) =>
		(await plugins()).browsePlugins(context(command), true),
	)
	pluginCommand('install [id]', 'install a driver: ID, ID@RANGE or PUBLISHER/ID')
		.option('--from <file>', 'install from a bundle file, without a network connection; without ID, all its drivers')
		.option('--fingerprint <sha256>', "fingerprint of the bundle's registry; trusts this registry", parseFingerprint)
		.option('--accept-expired', 'accept a bundle whose timestamp has expired', false)
		.option('--accept', 'accept new permissions of an update', false)
		.action(async (id, options, command: Command) => {
			if (options.from) await (await plugins()).installBundle(context(command), options, id)
			else if (id) await (await plugins()).installPlugin(context(command), id, options.accept)
			else command.error('error: name a driver, or a bundle with --from')
		})
	pluginCommand('update [id]', 'install newer releases')
		.option('--accept', 'accept new permissions of an update', false)
		.action(async (id, { accept }, command) => (await plugins()).updatePlugins(context(command), id, accept))
	pluginCommand('remove <id>', 'remove a driver')
		.option('--forget-registry', 'also forget the registry of the driver', false)
		.action(async (id, { forgetRegistry }, command) =>
			(await plugins()).removePlugin(context(command), id, forgetRegistry),
		)
	pluginCommand('enable <id>', 'enable a driver').action(async (id, _, command) =>
		(await plugins()).setPluginEnabled(context(command), id, true),
	)
	pluginCommand('disable <id>', 'disable a driver').action(async (id, _, command) =>
		(await plugins()).setPluginEnabled(context(command), id, false),
	)
	pluginCommand('lock', 'print the installed releases as a lock file for `plugin sync`').action(async (_, command) =>
		(await plugins()).lockPlugins(context(command)),
	)
	pluginCommand('sync [file]', 'install the releases in a lock file')
		.option('--accept-older', 'install releases that are older than the installed ones', false)
		.action(async (file, { acceptOlder }, command) =>
			(await plugins()).syncPlugins(context(command), acceptOlder, file),
		)
	pluginCommand('verify', 'compare installed drivers with the signed metadata').action(async (_, command) =>
		(await plugins()).verifyPlugins(context(command)),
	)
	addTrustedRegistryCommands(plugin, context)
}

function addTrustedRegistryCommands(plugin: Command, context: ContextOf): void {
	const registries = plugin.command('registries').description('manage the trusted registries')
	const registryList = () => import('./plugin-registries.ts')
	const registriesCommand = (name: string, description: string, options = {}) =>
		withRegistry(asJson(registries.command(name, options).description(description)))
	registriesCommand('list', 'list the registries and their state', { isDefault: true }).action(async (_, command) =>
		(await registryList()).listRegistries(context(command)),
	)
	registriesCommand('add <url>', 'trust a registry')
		.option('--fingerprint <sha256>', 'fingerprint from the publisher; skips the prompt', parseFingerprint)
		.action(async (url, options, command) =>
			(await registryList()).addRegistry(context(command), url, options.fingerprint),
		)
	registriesCommand('remove <name>', 'stop trusting a registry; NAME is its URL or fingerprint')
		.option('--yes', 'skip the prompt', false)
		.action(async (name, { yes }, command) => (await registryList()).removeRegistry(context(command), name, yes))
}
