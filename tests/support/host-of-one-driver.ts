import { noWall } from '../../host/driver-runtime/wall/confinement.ts'
import { machineWall } from '../../host/driver-runtime/wall/wall.ts'
import { driverFromSource, listTables } from './driver-from-source.ts'

/**
 * A host of one driver, for tests that kill it or check what it inherits: `<body of the driver> <walled>`. It prints
 * the process id of the driver, then what the driver logs. It ends when the driver logs `end`.
 */
const [body = '', walled] = process.argv.slice(2)
const wall = walled === 'true' ? (await machineWall()).wall : noWall
const log = {
	warn: () => {},
	info: (text: string) => {
		process.stdout.write(`${text}\n`)
		if (text.endsWith(' end')) void driver[Symbol.asyncDispose]().then(() => process.exit(0))
	},
}
const driver = await driverFromSource(`setTimeout(() => { ${body} }, 50)\nreturn []`, {
	wall,
	log,
	top: "import fs from 'node:fs'; import net from 'node:net'",
})
await listTables(driver)
process.stdout.write(`${driver.pid}\n`)
