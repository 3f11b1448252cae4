import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { estimateDecodeBytes, isLongRead, MAX_LIGHT_DECODE_BYTES } from '#features/photos/decode/decode-cost.ts'

const cost = suite('unit/photos/decode-cost')

cost('a PNG that takes seconds to unpack is heavy, although it takes little memory', () => {
  const deep = { format: 'png', width: 5999, height: 5999, channels: 4, depth: 'ushort' }
  assert.ok(estimateDecodeBytes(deep) < MAX_LIGHT_DECODE_BYTES)
  assert.ok(isLongRead(deep))
  assert.ok(isLongRead({ ...deep, width: 5, height: 9_990_000 }))
})

cost('screenshots and photos are light', () => {
  const screenshot = { format: 'png', width: 1440, height: 3200, channels: 4, depth: 'uchar' }
  assert.not.ok(isLongRead(screenshot))
  assert.not.ok(isLongRead({ ...screenshot, width: 6000, height: 4000, channels: 3 }))
  assert.not.ok(isLongRead({ ...screenshot, format: 'jpeg', width: 8192, height: 6144, channels: 3 }))
})

cost.run()
