import { partA } from './part-a.ts'
import { partB } from './part-b.ts'
import type { Requirement } from './requirement.ts'

export const requirements: readonly Requirement[] = [...partA, ...partB]
export type RequirementId = (typeof partA)[number]['id'] | (typeof partB)[number]['id']
