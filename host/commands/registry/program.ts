import { type Command, InvalidArgumentError, Option } from 'commander'
import { hostVersion } from '../../../base/version.ts'
import { fingerprint } from '../fingerprint.ts'
import { asJson, type ContextOf, collect, port } from '../options.ts'

/** Arguments of `roundhouse registry …`; the commands are loaded on demand. */

const list = (value: string) => value.split(',').filter(Boolean)
const count = (value: string) => {
	const number = Number(value)
	if (!Number.isInteger(number) || number < 1 || number > 100) throw new InvalidArgumentError('It is 1 to 100.')
	return number
}
export function addRegistryCommands(root: Command, context: ContextOf): void {
	const registry = root.command('registry').description('make and keep a registry of drivers')
	const command = (name: string, description: string) => asJson(registry.command(name).description(description))
	const withKeys = (command: Command) =>
		command.option(
			'--keys <folder>',
			'where keys are (repeatable; FOLDER.keys beside the registry by default)',
			collect,
		)
	const keeping = (name: string, description: string) =>
		withKeys(command(name, description)).option('--registry <folder>', 'the folder of the registry', '.')
	const withFingerprint = (command: Command) =>
		command.option('--fingerprint <sha256>', 'refuse any other registry than this one', fingerprint)

	withKeys(command('init <folder>', 'make a registry, and its keys'))
		.requiredOption('--name <name>', 'what the registry calls itself')
		.option('--root-keys <n>', 'how many keys the root has', count, 2)
		.option('--threshold <n>', 'how many of them must sign', count)
		.option('--publisher <name>', 'a publisher whose keys lie here too (repeatable)', collect, [])
		.action(async (folder, options, command) =>
			(await import('./keep.ts')).initRegistry(context(command), folder, options),
		)

	command('key <folder>', 'make a key pair, and print its public key')
		.option('--name <name>', 'what its file is called', 'publisher')
		.action(async (folder, { name }, command) =>
			(await import('./keep.ts')).makeSigningKey(context(command), folder, name),
		)

	keeping('delegate <publisher>', 'let a publisher sign for everything under its name')
		.option('--key <public>', "a public key of the publisher's (repeatable; without one a pair is made)", collect)
		.option('--threshold <n>', 'how many of them must sign', count, 1)
		.option('--remove', 'take the publisher out', false)
		.action(async (publisher, options, command) =>
			(await import('./keep.ts')).delegate(context(command), publisher, options),
		)

	keeping('sign', 'take in what publishers signed, and sign anew what nears its end')
		.option('--role <role>', 'a role that is signed anew in any case (repeatable)', collect, [])
		.action(async (options, command) => (await import('./keep.ts')).signRegistry(context(command), options))

	keeping('rotate', 'give a role new keys')
		.option('--role <role>', 'whose', 'root')
		.option('--key <public>', 'a public key instead of new pairs (repeatable)', collect)
		.option('--threshold <n>', 'how many of them must sign; as many as before by default', count)
		.action(async (options, command) => (await import('./keep.ts')).rotate(context(command), options))

	keeping('add <driver>', 'publish a driver: its folder, or a packed .tgz')
		.requiredOption('--publisher <name>', 'under whose name')
		.option('--min-host <version>', 'the oldest Roundhouse that can run it', hostVersion)
		.option('--dry-run', 'show what would be published, and stop', false)
		.action(async (driver, options, command) =>
			(await import('./release.ts')).addDriver(context(command), driver, options),
		)

	keeping('yank <release>', 'withdraw PUBLISHER/ID/VERSION: it stays where it is installed')
		.option('--undo', 'take that back', false)
		.action(async (release, options, command) =>
			(await import('./release.ts')).yank(context(command), release, options),
		)

	keeping('revoke <release>', 'warn of PUBLISHER/ID/VERSION where it is installed, or stop it')
		.requiredOption('--reason <text>', 'what people read')
		.addOption(new Option('--action <action>', 'what hosts do').choices(['warn', 'stop']).default('stop'))
		.action(async (release, options, command) =>
			(await import('./release.ts')).revoke(context(command), release, options),
		)

	keeping('announce <version>', 'name the newest release of Roundhouse, which hosts tell their users')
		.option('--channel <name>', 'its channel', 'stable')
		.action(async (version, options, command) =>
			(await import('./keep.ts')).announce(context(command), version, options),
		)

	withFingerprint(command('verify [place]', 'check a folder or an address as a host would')).action(
		async (place = '.', options, command) =>
			(await import('./read.ts')).verify(context(command), place, options.fingerprint),
	)

	withFingerprint(command('mirror <place> <folder>', 'keep a copy that any web server can serve')).action(
		async (place, folder, options, command) =>
			(await import('./read.ts')).mirror(context(command), { place, folder, pinned: options.fingerprint }),
	)

	withFingerprint(command('bundle', 'put drivers into one file, for machines without a network'))
		.option('--registry <place>', 'a folder or an address', '.')
		.requiredOption('--drivers <ids>', 'ID, PUBLISHER/ID or ID@VERSION, with commas', list)
		.requiredOption('--out <file>', 'the .zip')
		.action(async (options, command) => (await import('./read.ts')).bundle(context(command), options))

	command('serve [folder]', 'serve a registry on this machine until stopped')
		.option('--port <n>', 'its port', port, 0)
		.action(async (folder = '.', options, command) =>
			(await import('./read.ts')).serve(context(command), folder, options.port),
		)
}
