// `node scripts/with-node.mjs PROGRAM …`: runs a program of node_modules/.bin, or a script, under the pinned Node.
// Child processes find that Node first as well.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { findNode } from '../host/bin/pinned-node.mjs'
import { standFor } from '../host/bin/stand-for.mjs'

const checkout = dirname(import.meta.dirname)
const [program = '', ...args] = process.argv.slice(2)
const { program: node } = foundNode()
const linked = join(checkout, 'node_modules', '.bin', program)
const PATH = [dirname(node), join(checkout, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
const [command, words] = existsSync(linked) ? [linked, args] : [node, [program, ...args]]
const child = spawn(command, words, { stdio: 'inherit', env: { ...process.env, PATH } })
standFor(child, reason => process.stderr.write(`${reason}\n`))

/** A checkout is complete after `npm ci`. */
function foundNode() {
	try {
		return findNode()
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : error} In a checkout, run: npm ci\n`)
		process.exit(1)
	}
}
