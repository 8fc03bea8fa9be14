import { cases, groups } from '@roundhouse/kit/conformance'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { hostVersion } from '../../../base/version.ts'
import { asJson, type ContextOf, collect } from '../options.ts'

/** Arguments of `roundhouse driver …`, the commands of driver authors; the commands are loaded on demand. */

const driverId = (value: string) => {
	if (/^[a-z][a-z0-9-]{0,39}$/.test(value)) return value
	throw new InvalidArgumentError('A name has lower-case letters, digits and dashes, and starts with a letter.')
}

/** Collects ids, and refuses one that names no case, which would pass by trying nothing. */
const caseOrGroup = (value: string, all?: readonly string[]) => {
	if (!groups.some(group => group === value) && !cases.some(({ id }) => id === value))
		throw new InvalidArgumentError(`It is no case, and none of the groups ${groups.join(', ')}.`)
	return collect(value, all)
}

const unconfined = () =>
	new Option(
		'--unconfined',
		'run conformance.ts with your rights; by default it reads its folder and uses the network',
	).default(false)

export function addDriverCommands(root: Command, context: ContextOf): void {
	const driver = root.command('driver').description('write and publish drivers')
	const command = (name: string, description: string) => asJson(driver.command(name).description(description))

	command('new', 'start a driver in a new folder')
		.argument('<name>', 'its id, and the name of its folder', driverId)
		.addOption(
			new Option('--template <name>', 'what it starts as').choices(['minimal', 'http', 'sql']).default('minimal'),
		)
		.action(async (name, { template }, command: Command) => {
			const fault = await (await import('./new.ts')).newDriver(context(command), name, template)
			if (fault !== undefined) command.error(`error: ${fault}`)
		})

	command('dev', 'run a driver in a throw-away host, and again after each change')
		.argument('[folder]', 'the folder of the driver', '.')
		.option(
			'--inspect',
			'let a debugger attach; the driver then runs without the sandbox of the operating system',
			false,
		)
		.addOption(unconfined())
		.action(async (folder, { inspect, unconfined }, command: Command) => {
			const options = { inspects: inspect, isUnconfined: unconfined }
			const fault = await (await import('./dev.ts')).dev(context(command), folder, options)
			if (fault !== undefined) command.error(`error: ${fault}`)
		})

	command('check', 'try a driver in the sandbox that users get')
		.argument('[folder]', 'the folder of the driver', '.')
		.option('--only <id>', 'try this case or group alone (repeatable)', caseOrGroup)
		.option('--fail-fast', 'stop at the first case that fails')
		.addOption(unconfined())
		.action(async (folder, { only, failFast, unconfined }, command: Command) => {
			const options = { only, failFast, isUnconfined: unconfined }
			const fault = await (await import('./check.ts')).check(context(command), folder, options)
			if (fault !== undefined) command.error(`error: ${fault}`)
		})

	command('pack', 'pack a driver into a .tgz in its folder')
		.argument('[folder]', 'the folder of the driver', '.')
		.action(async (folder, _, command) => (await import('./pack.ts')).pack(context(command), folder))

	command('publish', 'pack a driver and publish it in a registry')
		.argument('[folder]', 'the folder of the driver', '.')
		.requiredOption('--registry <folder>', 'the folder of the registry')
		.option('--publisher <name>', 'under whose name; the only publisher of the registry by default')
		.option('--keys <folder>', 'where keys are (repeatable; FOLDER.keys beside the registry by default)', collect)
		.option('--min-host <version>', 'the oldest Roundhouse that can run it', hostVersion)
		.option('--dry-run', 'show what would be published, and stop', false)
		.action(async (folder, options, command: Command) =>
			(await import('../registry/release.ts')).addDriver(context(command), folder, options),
		)
}
