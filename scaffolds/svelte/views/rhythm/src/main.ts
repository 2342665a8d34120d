import { mount } from "svelte";
import Rhythm from "./Rhythm.svelte";
import "./style.css";

mount(Rhythm, { target: document.getElementById("root")! });
