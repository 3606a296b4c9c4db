/** Before each test file, where `SEED` is set: the seed of properties that name none. fast-check would draw one. */
import { configureGlobal, readConfigureGlobal } from 'fast-check'
import { seedOr } from './sample.ts'

configureGlobal({ ...readConfigureGlobal(), seed: seedOr(0) })
