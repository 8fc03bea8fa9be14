import { expect, test } from 'vitest'
import { SshLog } from './ssh-log.ts'

const refused = (channel: number, path: string) => [
	`channel ${channel}: open failed: connect failed: Connection refused`,
	`debug1: channel ${channel}: free: direct-tcpip: listening port -2 for db port 1, connect from  port 0 to ${path} port 0, nchannels 3`,
]
const heard = (...lines: readonly string[]) => {
	const log = new SshLog({ destination: 'bastion', onStep() {} })
	log.hear(`${lines.join('\n')}\n`)
	return log
}

test('a refusal is that of the socket file of its channel', () => {
	const [one, other] = [refused(1, '/tmp/f/0'), refused(2, '/tmp/f/1')]
	const log = heard(one[0] ?? '', other[0]?.replace('Connection refused', 'No route to host') ?? '', one[1] ?? '')
	expect(log.refusalAt('/tmp/f/0', 0)).toBe('connect failed: Connection refused')
	expect(log.refusalAt('/tmp/f/1', 0)).toBeUndefined()
	log.hear(`${other[1]}\n`)
	expect(log.refusalAt('/tmp/f/1', 0)).toBe('connect failed: No route to host')
	expect(log.refusalAt('/tmp/f/0', performance.now())).toBeUndefined()
})

test('a channel that is used again after a refusal is not refused, and many refusals are forgotten', () => {
	const log = heard(...refused(1, '/tmp/f/0'), refused(1, '/tmp/f/1')[1] ?? '')
	expect(log.refusalAt('/tmp/f/1', 0)).toBeUndefined()
	for (let at = 0; at < 100; at++) log.hear(`${refused(3, '/tmp/f/3').join('\n')}\n`)
	expect(log.refusalAt('/tmp/f/0', 0)).toBeUndefined()
})
