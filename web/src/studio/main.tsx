import { render } from "preact";
import CoreWorker from "../core/worker.ts?worker&inline";
import { Studio, start } from "./studio.tsx";
import "../shared/theme.css";
import "./style.css";

const root = document.getElementById("studio");
if (root) start().then((first) => render(<Studio first={first} makeWorker={() => new CoreWorker()} />, root));
