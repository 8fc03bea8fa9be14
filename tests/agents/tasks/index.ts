import { counting } from './counting.ts'
import { exploring } from './exploring.ts'
import { reading } from './reading.ts'
import type { AgentTask } from './task.ts'
import { writing } from './writing.ts'
import { wrongTurns } from './wrong-turns.ts'

/** All tasks in their order: those that change the sample are last. */
export const tasks: readonly AgentTask[] = [...exploring, ...counting, ...reading, ...wrongTurns, ...writing]
