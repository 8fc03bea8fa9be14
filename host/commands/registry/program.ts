import { type Command, InvalidArgumentError, Option } from 'commander'
import { hostVersion } from '../../../base/version.ts'
import { parseFingerprint } from '../fingerprint.ts'
import { asJson, type ContextOf, collect, port } from '../options.ts'

/** Arguments of `roundhouse registry …`; the commands are loaded on demand. */

const list = (value: string) => value.split(',').filter(Boolean)
const count = (value: string) => {
	const number = Number(value)
	if (!Number.isInteger(number) || number < 1 || number > 100)
		throw new InvalidArgumentError('Use a whole number from 1 to 100.')
	return number
}
export function addRegistryCommands(root: Command, context: ContextOf): void {
	const registry = root.command('registry').description('create and maintain a driver registry')
	const command = (name: string, description: string) => asJson(registry.command(name).description(description))
	const withKeys = (command: Command) =>
		command.option(
			'--keys <folder>',
			'folder that contains the private keys (repeatable; default: FOLDER.keys next to the registry)',
			collect,
		)
	const registryCommand = (name: string, description: string) =>
		withKeys(command(name, description)).option('--registry <folder>', 'the folder of the registry', '.')
	const withFingerprint = (command: Command) =>
		command.option(
			'--fingerprint <sha256>',
			'fingerprint that the registry must have; a different registry is rejected',
			parseFingerprint,
		)

	withKeys(command('init <folder>', 'create a registry and its keys'))
		.requiredOption('--name <name>', 'name of the registry')
		.option('--root-keys <n>', 'number of root keys', count, 2)
		.option('--threshold <n>', 'number of root keys that must sign', count)
		.option('--publisher <name>', 'publisher whose keys are stored in the same folder (repeatable)', collect, [])
		.action(async (folder, options, command) =>
			(await import('./keep.ts')).initRegistry(context(command), folder, options),
		)

	command('key <folder>', 'make a key pair, and print its public key')
		.option('--name <name>', 'name of the key file', 'publisher')
		.action(async (folder, { name }, command) =>
			(await import('./keep.ts')).makeSigningKey(context(command), folder, name),
		)

	registryCommand('delegate <publisher>', 'delegate to a publisher the signing of all drivers under its name')
		.option('--key <public>', 'public key of the publisher (repeatable; default: a new key pair is created)', collect)
		.option('--threshold <n>', 'number of publisher keys that must sign', count, 1)
		.option('--remove', 'remove the publisher', false)
		.action(async (publisher, options, command) =>
			(await import('./keep.ts')).delegate(context(command), publisher, options),
		)

	registryCommand('sign', 'import metadata that publishers signed, and renew signatures that expire soon')
		.option('--role <role>', 'role to sign again even if its signature does not expire soon (repeatable)', collect, [])
		.action(async (options, command) => (await import('./keep.ts')).signRegistry(context(command), options))

	registryCommand('rotate', 'give a role new keys')
		.option('--role <role>', 'role whose keys are replaced', 'root')
		.option('--key <public>', 'public key to use instead of a new key pair (repeatable)', collect)
		.option('--threshold <n>', 'number of keys that must sign (default: unchanged)', count)
		.action(async (options, command) => (await import('./keep.ts')).rotate(context(command), options))

	registryCommand('add <driver>', 'publish a driver: its folder, or a packed .tgz')
		.requiredOption('--publisher <name>', 'publisher of the driver')
		.option('--min-host <version>', 'the oldest Roundhouse that can run it', hostVersion)
		.option('--dry-run', 'show what would be published, and stop', false)
		.action(async (driver, options, command) =>
			(await import('./release.ts')).addDriver(context(command), driver, options),
		)

	registryCommand(
		'yank <release>',
		'withdraw PUBLISHER/ID/VERSION from new installations; existing installations keep it',
	)
		.option('--undo', 'make a withdrawn release available again', false)
		.action(async (release, options, command) =>
			(await import('./release.ts')).yank(context(command), release, options),
		)

	registryCommand(
		'revoke <release>',
		'revoke PUBLISHER/ID/VERSION: hosts that have installed it warn their users or stop running it',
	)
		.requiredOption('--reason <text>', 'reason that hosts show to users')
		.addOption(
			new Option('--action <action>', 'whether hosts only warn or also stop the release')
				.choices(['warn', 'stop'])
				.default('stop'),
		)
		.action(async (release, options, command) =>
			(await import('./release.ts')).revoke(context(command), release, options),
		)

	registryCommand('announce <version>', 'publish the newest version of Roundhouse; hosts notify their users about it')
		.option('--channel <name>', 'release channel', 'stable')
		.action(async (version, options, command) =>
			(await import('./keep.ts')).announce(context(command), version, options),
		)

	withFingerprint(command('verify [source]', 'verify a registry folder or URL with the same checks as a host')).action(
		async (source = '.', options, command) =>
			(await import('./read.ts')).verify(context(command), source, options.fingerprint),
	)

	withFingerprint(
		command('mirror <source> <folder>', 'copy a registry to a folder that any web server can serve'),
	).action(async (source, folder, options, command) =>
		(await import('./read.ts')).mirror(context(command), { source, folder, pinned: options.fingerprint }),
	)

	withFingerprint(command('bundle', 'package drivers in one file for machines without a network connection'))
		.option('--registry <source>', 'folder or URL of the registry', '.')
		.requiredOption('--drivers <ids>', 'ID, PUBLISHER/ID or ID@VERSION, with commas', list)
		.requiredOption('--out <file>', 'path of the .zip file to write')
		.action(async (options, command) => (await import('./read.ts')).bundle(context(command), options))

	command('serve [folder]', 'serve a registry on this machine until stopped')
		.option('--port <n>', 'its port', port, 0)
		.action(async (folder = '.', options, command) =>
			(await import('./read.ts')).serve(context(command), folder, options.port),
		)
}
