import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHostProcess } from '../../host/desktop/host-process.ts'

/** Runs the shell with the host as a separate program, which a test can kill. Prints the process id of the host. */
const [launcher = ''] = process.argv.slice(2)
const idleSeconds = 1
await startHostProcess({ node: process.execPath, launcher, registry: [] }, idleSeconds)
const control = await readFile(join(process.env.ROUNDHOUSE_HOME ?? '', 'control.json'), 'utf8')
process.stdout.write(`${JSON.parse(control).pid}\n`)
setInterval(() => {}, 60_000)
