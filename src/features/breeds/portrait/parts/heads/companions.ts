/** Heads of sighthounds, terriers, pinschers and toys. */
import { profile, type HeadShape } from './profile.ts'

// Tables of coordinates, one shape per line.
// prettier-ignore
export const COMPANION_HEADS = {
  sight: { outline: [[0, 35], [16, 39], [30, 51], [37.5, 70], [37, 89], [30, 113], [23, 137], [17, 156], [8, 166], [0, 167]], eye: [20.5, 83, 7.2], noseY: 139, muzzle: [18, 8], kind: 'plain', up: [22, 53, 10], down: [32, 55, -6], nose: 11.5 },
  greyhound: { outline: profile(35, 172, [13, 25, 33, 32, 24, 18, 10]), eye: [19.5, 84, 7], noseY: 146, muzzle: [15.5, 7], kind: 'plain', up: [20, 52, 8], down: [30, 54, -6], nose: 10.5 },
  borzoi: { outline: profile(27, 177, [12, 22, 28, 28, 22, 17, 9]), eye: [16.5, 79, 6.4], noseY: 154, muzzle: [15, 7], kind: 'plain', up: [18, 44, 8], down: [26, 48, -6], nose: 11 },
  deerhound: { outline: profile(37, 171, [17, 29, 35, 33, 27, 23, 14]), eye: [19, 87, 6.8], noseY: 140, muzzle: [19.5, 9], kind: 'plain', up: [21, 54, 8], down: [30, 56, -6], nose: 12 },
  wolfhound: { outline: profile(31, 173, [24, 40, 47, 45, 40, 36, 23]), eye: [22.5, 85, 6.4], noseY: 136, muzzle: [28, 11], kind: 'plain', up: [28, 50, 10], down: [38, 54, -6], nose: 15 },
  whippet: { outline: profile(41, 164, [18, 32, 41, 39, 27, 18, 9]), eye: [23, 91, 8.6], noseY: 137, muzzle: [16, 7], kind: 'plain', up: [24, 58, 10], down: [36, 60, -6], nose: 10 },
  iggy: { outline: profile(46, 159, [18, 32, 39, 34, 23, 14, 7]), eye: [23, 95, 9.8], noseY: 136, muzzle: [13, 6], kind: 'plain', up: [23, 62, 12], down: [34, 64, -6], nose: 8.6 },
  afghan: { outline: profile(33, 173, [15, 27, 34, 33, 25, 19, 11]), eye: [18.5, 84, 6.6], noseY: 147, muzzle: [17, 7.5], kind: 'plain', up: [22, 50, 8], down: [32, 68, -2], nose: 11 },
  chart: { outline: profile(34, 172, [19, 33, 41, 40, 32, 25, 15]), eye: [21, 85, 7], noseY: 141, muzzle: [20.5, 9], kind: 'plain', up: [24, 50, 10], down: [34, 54, -6], nose: 12.5 },
  terrier: { outline: [[0, 41], [22, 43], [39, 54], [45, 75], [44, 100], [41, 126], [38, 149], [24, 164], [0, 168]], eye: [22, 92, 7], noseY: 127, muzzle: [27, 11], kind: 'plain', up: [29, 56, 10], down: [34, 54, 2], nose: 13 },
  foxTerrier: { outline: profile(42, 171, [19, 31, 34, 33, 32, 31, 21]), eye: [18.5, 90, 6.4], noseY: 136, muzzle: [24, 11], kind: 'plain', up: [24, 54, 6], down: [29, 50, 8], nose: 12 },
  airedale: { outline: profile(34, 173, [21, 34, 38, 37, 36, 35, 24]), eye: [20, 86, 6.4], noseY: 134, muzzle: [27, 12], kind: 'plain', up: [26, 48, 6], down: [32, 46, 2], nose: 13.5 },
  scottie: { outline: profile(44, 173, [22, 36, 42, 40, 38, 37, 25]), eye: [20, 95, 6.2], noseY: 134, muzzle: [27, 12], kind: 'plain', up: [24, 60, -2], down: [36, 60, 2], nose: 15 },
  westie: { outline: profile(42, 158, [35, 55, 62, 59, 51, 41, 24]), eye: [21.5, 98, 8], noseY: 118, muzzle: [24, 9], kind: 'plain', up: [31, 58, 12], down: [46, 60, 2], nose: 13 },
  bedlington: { outline: profile(34, 172, [22, 36, 40, 35, 26, 19, 11]), eye: [17.5, 99, 5.8], noseY: 147, muzzle: [17, 8], kind: 'plain', up: [26, 60, 8], down: [38, 84, -3], nose: 11 },
  schnauzer: { outline: profile(43, 168, [27, 41, 44, 42, 40, 39, 27]), eye: [21.5, 92, 7], noseY: 126, muzzle: [30, 13], kind: 'plain', up: [28, 58, 8], down: [35, 54, 4], nose: 14 },
  patterdale: { outline: profile(45, 162, [31, 48, 54, 52, 45, 37, 22]), eye: [24.5, 97, 7], noseY: 125, muzzle: [27, 12], kind: 'plain', up: [36, 60, 12], down: [41, 58, 0], nose: 13.5 },
  czech: { outline: profile(40, 170, [23, 37, 41, 40, 39, 38, 26]), eye: [20.5, 91, 6.4], noseY: 131, muzzle: [28, 12], kind: 'plain', up: [28, 56, 8], down: [37, 54, -4], nose: 14.5 },
  russell: { outline: profile(43, 163, [29, 46, 51, 46, 35, 27, 15]), eye: [24.5, 96, 7.6], noseY: 129, muzzle: [22.5, 9], kind: 'plain', up: [34, 60, 12], down: [38, 54, 4], nose: 12.5 },
  otter: { outline: profile(44, 161, [33, 49, 53, 50, 47, 40, 24]), eye: [23.5, 97, 7], noseY: 119, muzzle: [27, 12], kind: 'plain', up: [36, 60, 14], down: [44, 58, 0], nose: 13 },
  pinscher: { outline: [[0, 40], [19, 44], [36, 56], [44, 77], [43, 100], [35, 124], [27, 146], [17, 162], [0, 168]], eye: [21.5, 92, 7.2], noseY: 133, muzzle: [22, 9], kind: 'plain', up: [27, 57, 8], down: [37, 58, -4], nose: 12.5 },
  doberman: { outline: profile(36, 173, [18, 31, 38, 38, 32, 25, 14]), eye: [20, 87, 6.8], noseY: 143, muzzle: [20, 9], kind: 'plain', up: [22, 50, 0], down: [31, 50, 0], nose: 12.5 },
  ratter: { outline: profile(42, 166, [24, 40, 46, 41, 29, 20, 10]), eye: [23, 94, 8.2], noseY: 136, muzzle: [17, 7], kind: 'plain', up: [31, 58, 14], down: [37, 58, 0], nose: 11 },
  apple: { outline: [[0, 38], [30, 42], [52, 60], [59, 88], [53, 114], [40, 137], [26, 152], [12, 158], [0, 159]], eye: [27, 102, 9.8], noseY: 123, muzzle: [23, 8], kind: 'plain', up: [36, 60, 22], down: [46, 62, -2], nose: 10.5 },
  papillon: { outline: profile(45, 157, [28, 45, 51, 47, 34, 21, 10]), eye: [24, 99, 9], noseY: 124, muzzle: [16.5, 7], kind: 'plain', up: [33, 62, 22], down: [44, 64, -4], nose: 9 },
  crested: { outline: profile(42, 163, [20, 35, 43, 40, 28, 18, 9]), eye: [22, 94, 7.8], noseY: 134, muzzle: [16, 7], kind: 'plain', up: [28, 58, 18], down: [38, 60, -4], nose: 10 },
  yorkie: { outline: profile(46, 155, [29, 45, 49, 46, 38, 29, 16]), eye: [22, 98, 8.2], noseY: 117, muzzle: [20, 8], kind: 'plain', up: [26, 60, 4], down: [42, 62, -2], nose: 10.5 },
  poodle: { outline: [[0, 43], [16, 46], [32, 58], [39, 81], [36, 104], [28, 130], [22, 150], [12, 163], [0, 166]], eye: [20, 91, 7.4], noseY: 134, muzzle: [20, 8], kind: 'plain', up: [26, 58, 8], down: [35, 64, -4], nose: 12 },
  round: { outline: [[0, 40], [28, 43], [50, 60], [58, 86], [57, 112], [49, 136], [34, 154], [18, 163], [0, 165]], eye: [25, 99, 8.8], noseY: 119, muzzle: [27, 9], kind: 'plain', up: [36, 60, 14], down: [46, 66, -4], nose: 12.5 },
  shihTzu: { outline: profile(44, 159, [35, 54, 60, 59, 51, 40, 23]), eye: [28.5, 99, 9.8], noseY: 110, muzzle: [30, 11], kind: 'plain', up: [38, 62, 14], down: [48, 68, -4], nose: 12.5 },
  water: { outline: profile(38, 168, [30, 46, 51, 48, 42, 36, 22]), eye: [23, 95, 7.8], noseY: 125, muzzle: [27, 10], kind: 'plain', up: [34, 58, 12], down: [43, 66, -4], nose: 14 },
} satisfies Record<string, HeadShape>
