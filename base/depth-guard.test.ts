import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { DepthGuard } from './depth-guard.ts'
import { depthOf } from './forbidden-addresses.ts'

test.each([
	[0, ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '172.32.0.1', '100.128.0.1']],
	[1, ['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd12:3456::1', '::ffff:10.0.0.1']],
	[
		2,
		['127.0.0.1', '::1', '0.0.0.0', '169.254.169.254', 'fe80::1', 'fd00:42::42', 'fd00:ec2::254', '::ffff:127.0.0.1'],
	],
])('depth %i: %j', (depth, ips) => {
	for (const ip of ips) expect([ip, depthOf(ip)]).toEqual([ip, depth])
})

/**
 * Attack: a registry on the public network redirects a package to this machine, to a cloud's metadata service, or into
 * a private network.
 */
test('rejects a redirect from the public network to an address of greater depth, as a literal address or as a resolved name', async () => {
	const [fromNetwork, fromPrivate, fromHere] = [0, 1, 2].map(depth => new DepthGuard(depth))
	const check = (guard: DepthGuard | undefined, url: string) => () => guard?.check(new URL(url))
	for (const url of ['https://127.0.0.1/', 'https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/'])
		expect(check(fromNetwork, url)).toThrow('an address of this machine or of a private network')
	expect(check(fromNetwork, 'https://93.184.216.34/')).not.toThrow()
	expect(check(fromPrivate, 'https://10.0.0.1/')).not.toThrow()
	expect(check(fromPrivate, 'https://127.0.0.1/')).toThrow()
	expect(check(fromHere, 'https://127.0.0.1/')).not.toThrow()
	const find = (guard: DepthGuard | undefined) => promisify(guard?.lookup ?? (() => {}))('localhost', {})
	await expect(find(fromNetwork)).rejects.toThrow('it leads to localhost')
	await expect(find(fromHere)).resolves.toMatch(/^(127\.0\.0\.1|::1)$/)
})
