import { defineDriver } from '@roundhouse/kit'
import { readAddress } from './address.ts'
import { connect } from './connect.ts'
import { startSample } from './sample/main.ts'

/** The driver for PostgreSQL 13 and newer. */
export default defineDriver({ connect, readAddress, startSample })
