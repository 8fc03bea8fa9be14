import { expect, test } from 'vitest'
import { testManifest } from '../../tests/support/manifest.ts'
import type { DriverOffer } from '../api/api.ts'
import { onlySampleOf } from './sample.ts'

const offer = (id: string, state: DriverOffer['state'], hasSample = true): DriverOffer => ({
	manifest: testManifest(id, { hasSample }),
	source: { registry: '', publisher: 'Tests' },
	state,
})

test('the only driver with a sample needs no name, installed or not', () => {
	expect(onlySampleOf([offer('books', 'available'), offer('plain', 'installed', false)])).toBe('books')
	expect(onlySampleOf([offer('books', 'available'), offer('notes', 'installed')])).toBe('notes')
})

test('the error for two samples names both drivers', () => {
	const both = [offer('books', 'installed'), offer('notes', 'installed')]
	expect(() => onlySampleOf(both)).toThrow('Name a driver with --driver: books or notes.')
	expect(() => onlySampleOf([offer('plain', 'installed', false)])).toThrow('No driver has a sample.')
})
