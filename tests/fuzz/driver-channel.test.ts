import { expect, test } from 'vitest'
import { fuzzDriverChannel } from './driver-channel.ts'

test('2,000 sayings of a driver without manners end that driver with a reason, and nothing else', async () => {
	const { faults } = await fuzzDriverChannel(2000, 20_260_728)
	// The mutations are of use only while many come as far as a method's own schema.
	expect(faults.get('none')).toBeGreaterThan(100)
	expect(faults.get('it broke the protocol')).toBeGreaterThan(100)
	expect(faults.get('it sent a frame of N and N bytes')).toBeGreaterThan(20)
	expect(faults.get('it answered an unknown call')).toBeGreaterThan(20)
})
