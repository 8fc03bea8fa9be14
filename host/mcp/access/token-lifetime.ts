import { defineErrors } from '../../base/errors.ts'

export const lifetimeErrors = defineErrors('lifetime', {
	invalid: '"{text}" is no lifetime. Write 30d, 12h, 15m, 90s or never.',
})

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** When something ends that lives from now on for `text`; `null` for never. @throws HostError `lifetime/invalid` */
export function expiryOf(text: string, now: number): string | null {
	if (text === 'never') return null
	const [, count, unit = ''] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? []
	const lengthMs = Number(count) * (unitMs[unit] ?? Number.NaN)
	if (Number.isNaN(lengthMs)) throw lifetimeErrors.make('invalid', { text })
	return new Date(now + lengthMs).toISOString()
}
