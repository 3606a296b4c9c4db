/** @module-tag long */
import { describeExpressions } from './suite.ts'

describeExpressions('networks')
