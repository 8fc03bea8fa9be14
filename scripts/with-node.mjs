// `node scripts/with-node.mjs PROGRAM …`: runs a program of node_modules/.bin, or a script, under the pinned Node, whatever
// the machine's own is. What it starts in turn finds that Node first as well.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { pinnedNode } from '../host/bin/pinned-node.mjs'

const checkout = dirname(import.meta.dirname)
const [program = '', ...args] = process.argv.slice(2)
const node = pinnedNode(checkout)
const linked = join(checkout, 'node_modules', '.bin', program)
const PATH = [dirname(node), join(checkout, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
const [command, words] = existsSync(linked) ? [linked, args] : [node, [program, ...args]]
const child = spawn(command, words, { stdio: 'inherit', env: { ...process.env, PATH } })
// A terminal's Ctrl-C reaches the child as well; a signal to this process alone is passed on.
/** @type {readonly NodeJS.Signals[]} */
const ending = ['SIGINT', 'SIGTERM', 'SIGHUP']
for (const signal of ending) process.on(signal, () => child.kill(signal))
child.once('error', error => {
	process.stderr.write(`${error.message}\n`)
	process.exit(1)
})
child.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
