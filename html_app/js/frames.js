// The page around the frames: its own tool, one of whose names the frame takes too.
import { echo } from "./lab-tools.js";
import { offer, where } from "./offer.js";

await offer(() => [where("top_where", "Says that it ran in the page itself."), echo]);
